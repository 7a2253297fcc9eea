/** What the generic screens need to know about a kind of records. */
import type { IconType } from '@gatehouse/ui/icon';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { LifeCalls, RecordReads, Revised, StoredRecord } from '#queries/records.ts';
import type { CodeForms } from '../form/as-code.ts';
import type { RecordFormSpec } from '../form/record-form.ts';
import type { SaveGuard } from './SaveQuestion.tsx';

/** For screens that show a record. */
export interface ShownKind<Item extends Revised, Address = string> {
  readonly calls: RecordReads<Item, Address>;
  /** `host set` */
  readonly noun: string;
  readonly icon: IconType;
  readonly nameOf: (item: Item) => string;
  /** Why an action isn't possible; by default, according to the record's `authorized_actions`. */
  readonly reasonAgainst?: (item: Item, action: 'update' | 'delete') => string | undefined;
}

/** For confirmations of actions on a record: the words for its changes. */
export interface ComparedKind<Item extends Revised, Fields extends FieldValues> {
  /** Schema of the record in a conflict. */
  readonly schema: z.ZodMiniType<Item>;
  readonly fieldsOf: (item: Item) => Fields;
  /** The form of a stored record, which may depend on the values. */
  readonly formOf: (item: Item, values: Fields) => RecordFormSpec<Fields>;
}

/** The current state of an edit. */
export interface RecordEdit<Item, Fields> {
  /** The record as last read, at the revision that the edit is based on. */
  readonly item: Item;
  readonly stored: Fields;
  readonly values: Fields;
}

/** Code of the service's clients for an edit. */
export interface EditCode<Item, Fields, Changes> {
  readonly of: (changes: Changes, edit: RecordEdit<Item, Fields>) => CodeForms;
  /** The note below it. */
  readonly note: (hasChanges: boolean, code: CodeForms) => string;
}

/** For screens that also edit and delete a record. */
export interface RecordKind<Item extends Revised, Fields extends FieldValues, New, Changes, Address = string>
  extends ShownKind<Item, Address>, ComparedKind<Item, Fields> {
  readonly calls: LifeCalls<Item, New, Changes, Address>;
  /** Changes when another form is to be shown. */
  readonly formKey?: (values: Fields) => string;
  /** The request body for the changed fields. */
  readonly bodyOf: (changed: Partial<Fields>, edit: RecordEdit<Item, Fields>) => Changes;
  /**
   * The request body that recreates a deleted record from its edited fields; null if that isn't possible. If
   * not defined, the edit can only be copied or discarded.
   */
  readonly anewOf?: (fields: Fields, gone: Item) => New | null;
  /** A note to show before it is recreated. */
  readonly anewNote?: string;
  /** Why it can't be recreated. */
  readonly cannotAnew?: string;
  /** The page that creates a new one, for records that can't be recreated from an edit. */
  readonly anewHref?: (environment: string) => string;
  readonly code?: EditCode<Item, Fields, Changes>;
  /** Harm to confirm before saving an edit; undefined for none. */
  readonly guardOf?: (
    edit: RecordEdit<Item, Fields>,
    environment: string,
  ) => SaveGuard | undefined | Promise<SaveGuard | undefined>;
  /** `Host set primaries saved` by default. */
  readonly savedWords?: (item: Item) => string;
  /** `Save host set` by default. */
  readonly saveLabel?: string;
  /** Shown above the fields, from the current record and the one that the edit began with. */
  readonly noticeOf?: (now: Item, first: Item) => ReactNode;
  /** Shown beside the fields, around the equivalent code; by default only that code. */
  readonly asideOf?: (edit: RecordEdit<Item, Fields>, code: ReactNode) => ReactNode;
}

/** A record's name, or its ID if it has none. */
export function nameOrId({ id, name }: { readonly id: string; readonly name: string }): string {
  return name === '' ? id : name;
}

/** `Host set` of `host set`. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const verbs = {
  update: 'edit',
  delete: 'delete',
  'set-hosts': 'change the hosts of',
  'set-host-sources': 'change the host sources of',
  'set-credential-sources': 'change the credential sources of',
} as const;

/** Why a record can't be edited or deleted; undefined if it can. */
export function reasonOf<Item extends Revised, Address>(
  { noun, reasonAgainst: own }: Pick<ShownKind<Item, Address>, 'noun' | 'reasonAgainst'>,
  item: Item,
  action: 'update' | 'delete',
): string | undefined {
  if (own !== undefined) return own(item, action);
  const { authorized_actions } = item;
  return authorized_actions && reasonAgainst({ authorized_actions }, action, noun);
}

/** Why an action isn't possible; undefined if the controller allows it. */
export function reasonAgainst(
  item: Pick<StoredRecord, 'authorized_actions'>,
  action: keyof typeof verbs,
  noun: string,
): string | undefined {
  if (item.authorized_actions.includes(action)) return undefined;
  return `Your role in the access controller doesn't let you ${verbs[action]} this ${noun}.`;
}

/** Why nothing can be created in a collection below a record; undefined if it can. */
export function reasonAgainstCreatingIn(
  holder: { readonly authorized_collection_actions: Readonly<Record<string, readonly string[]>> } | undefined,
  collection: string,
  many: string,
): string | undefined {
  if (holder === undefined) return 'Your permissions here are still loading.';
  if (holder.authorized_collection_actions[collection]?.includes('create') === true) return undefined;
  return `Your role in the access controller doesn't let you create ${many} here.`;
}
