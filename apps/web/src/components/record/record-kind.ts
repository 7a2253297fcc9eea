/** What the generic screens need to know of a kind of records. */
import type { IconType } from '@gatehouse/ui/icon';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { LifeCalls, RecordReads, Revised, StoredRecord } from '#queries/records.ts';
import type { CodeForms } from '../form/as-code.ts';
import type { RecordFormSpec } from '../form/record-form.ts';
import type { SaveGuard } from './SaveQuestion.tsx';

/** What shows a record needs. */
export interface ShownKind<Item extends Revised, Address = string> {
  readonly calls: RecordReads<Item, Address>;
  /** `host set` */
  readonly noun: string;
  readonly icon: IconType;
  readonly nameOf: (item: Item) => string;
  /** Why an action cannot be done with a record; what its own `authorized_actions` say unless given. */
  readonly reasonAgainst?: (item: Item, action: 'update' | 'delete') => string | undefined;
}

/** What asks before something is done to a record needs: in what words a change of it is said. */
export interface ComparedKind<Item extends Revised, Fields extends FieldValues> {
  /** The record as the server sends it in a conflict. */
  readonly schema: z.ZodMiniType<Item>;
  readonly fieldsOf: (item: Item) => Fields;
  /** The form of a stored record, which may depend on what is entered. */
  readonly formOf: (item: Item, values: Fields) => RecordFormSpec<Fields>;
}

/** An edit as it stands. */
export interface RecordEdit<Item, Fields> {
  /** The record as it is known now, at the revision that the edit is made over. */
  readonly item: Item;
  readonly stored: Fields;
  readonly values: Fields;
}

/** The same as an edit, by the clients of the service. */
export interface EditCode<Item, Fields, Changes> {
  readonly of: (changes: Changes, edit: RecordEdit<Item, Fields>) => CodeForms;
  /** What is said below it. */
  readonly note: (hasChanges: boolean, code: CodeForms) => string;
}

/** What edits and deletes a record needs beside it. */
export interface RecordKind<Item extends Revised, Fields extends FieldValues, New, Changes, Address = string>
  extends ShownKind<Item, Address>, ComparedKind<Item, Fields> {
  readonly calls: LifeCalls<Item, New, Changes, Address>;
  /** What changes when another form is to be shown. */
  readonly formKey?: (values: Fields) => string;
  /** What is sent, from the fields that changed. */
  readonly bodyOf: (changed: Partial<Fields>, edit: RecordEdit<Item, Fields>) => Changes;
  /**
   * What is sent to make a deleted record again from its edited fields; null where that cannot be done. Without it the
   * edit of a deleted record can be copied or given up.
   */
  readonly anewOf?: (fields: Fields, gone: Item) => New | null;
  /** What is to be known before it is made again. */
  readonly anewNote?: string;
  /** Why it cannot be made again. */
  readonly cannotAnew?: string;
  /** The page where another is made, for what cannot be made from an edit. */
  readonly anewHref?: (environment: string) => string;
  readonly code?: EditCode<Item, Fields, Changes>;
  /** What saving an edit can do that is asked about first; undefined where that is nothing. */
  readonly guardOf?: (
    edit: RecordEdit<Item, Fields>,
    environment: string,
  ) => SaveGuard | undefined | Promise<SaveGuard | undefined>;
  /** `Host set primaries saved` unless given. */
  readonly savedWords?: (item: Item) => string;
  /** `Save host set` unless given. */
  readonly saveLabel?: string;
  /** Above the fields: what is to be known, of the record as it is now and as it was when the edit began. */
  readonly noticeOf?: (now: Item, first: Item) => ReactNode;
  /** Beside the fields, around the same as code; that alone unless given. */
  readonly asideOf?: (edit: RecordEdit<Item, Fields>, code: ReactNode) => ReactNode;
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

/** Why a record cannot be edited or deleted; undefined where it can. */
export function reasonOf<Item extends Revised, Address>(
  { noun, reasonAgainst: own }: Pick<ShownKind<Item, Address>, 'noun' | 'reasonAgainst'>,
  item: Item,
  action: 'update' | 'delete',
): string | undefined {
  if (own !== undefined) return own(item, action);
  const { authorized_actions } = item;
  return authorized_actions && reasonAgainst({ authorized_actions }, action, noun);
}

/** Why an action cannot be done with a record; undefined where the controller allows it. */
export function reasonAgainst(
  item: Pick<StoredRecord, 'authorized_actions'>,
  action: keyof typeof verbs,
  noun: string,
): string | undefined {
  if (item.authorized_actions.includes(action)) return undefined;
  return `Your role in the access controller doesn't let you ${verbs[action]} this ${noun}.`;
}

/** Why nothing can be created in a collection below a record; undefined where it can. */
export function reasonAgainstCreatingIn(
  holder: { readonly authorized_collection_actions: Readonly<Record<string, readonly string[]>> } | undefined,
  collection: string,
  many: string,
): string | undefined {
  if (holder === undefined) return 'Your permissions here are still loading.';
  if (holder.authorized_collection_actions[collection]?.includes('create') === true) return undefined;
  return `Your role in the access controller doesn't let you create ${many} here.`;
}
