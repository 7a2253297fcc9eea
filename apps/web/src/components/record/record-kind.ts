/** What the generic screens need to know of a kind of records. */
import type { IconType } from '@gatehouse/ui/icon';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { RecordCalls, StoredRecord } from '#queries/records.ts';
import type { RecordFormSpec } from '../form/record-form.ts';
import type { CodeNames } from './record-as-code.ts';

/** What shows a record needs. */
export interface ShownKind<Item extends StoredRecord, New, Changes> {
  readonly calls: RecordCalls<Item, New, Changes>;
  /** `host set` */
  readonly noun: string;
  readonly icon: IconType;
  readonly nameOf: (item: Item) => string;
}

/** What edits and deletes a record needs beside it. */
export interface RecordKind<
  Item extends StoredRecord,
  Fields extends FieldValues,
  New,
  Changes,
> extends ShownKind<Item, New, Changes> {
  /** The record as the server sends it in a conflict. */
  readonly schema: z.ZodMiniType<Item>;
  readonly fieldsOf: (item: Item) => Fields;
  /** The form of a stored record. */
  readonly formOf: (item: Item) => RecordFormSpec<Fields>;
  /** The body of a partial update, from the fields that changed. */
  readonly bodyOf: (changed: Partial<Fields>, values: Fields) => Changes;
  /** The body that makes a deleted record anew from its edited fields; null where that cannot be done. */
  readonly anewOf: (fields: Fields, gone: Item) => New | null;
  /** The record for the clients of the controller: what holds it, and the fields of an edit. */
  readonly codeOf: (item: Item) => {
    readonly names: CodeNames;
    readonly place: Readonly<Record<string, string>>;
  };
}

/** A record as people call it: its name, else its id. */
export function nameOrId({ id, name }: { readonly id: string; readonly name: string }): string {
  return name === '' ? id : name;
}

/** `Host set` of `host set`. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const verbs = {
  update: 'change',
  delete: 'delete',
  'set-hosts': 'change the hosts of',
  'set-host-sources': 'change the host sources of',
  'set-credential-sources': 'change the credential sources of',
} as const;

/** Why an action cannot be done with a record; undefined where the controller allows it. */
export function reasonAgainst(
  item: Pick<StoredRecord, 'authorized_actions'>,
  action: keyof typeof verbs,
  noun: string,
): string | undefined {
  if (item.authorized_actions.includes(action)) return undefined;
  return `Your role at the access controller does not let you ${verbs[action]} this ${noun}.`;
}

/** Why nothing can be created in a collection below a record; undefined where it can. */
export function reasonAgainstCreatingIn(
  holder: { readonly authorized_collection_actions: Readonly<Record<string, readonly string[]>> } | undefined,
  collection: string,
  many: string,
): string | undefined {
  if (holder === undefined) return 'What you may do here is not known yet.';
  if (holder.authorized_collection_actions[collection]?.includes('create') === true) return undefined;
  return `Your role at the access controller does not let you create ${many} here.`;
}
