import type { Harm } from '@gatehouse/api-types/console/harm';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';

/** The fields of every stored record. */
export interface Stored {
  readonly revision: string;
  /** The revision of the record with everything that is deleted with it; absent if there is nothing else. */
  readonly whole_revision?: string;
  readonly created_time?: string;
  readonly updated_time?: string;
}

/** One kind of record. */
export interface RecordKind<
  Place extends object,
  Item extends Stored,
  Changes extends object,
  Within extends object = object,
  New extends object = object,
> {
  /** The kind's name in problems and the audit trail. */
  readonly kind:
    | 'box'
    | 'box-version'
    | 'box-provider'
    | 'organization'
    | 'organization-member'
    | 'box-settings';
  /** The field names of a place, outermost first. */
  readonly names: readonly (keyof Place & string)[];
  /** The place of a new record. */
  readonly made: (within: Within, fields: New) => Place;
  /** The fields of a new record to compare with the stored record; all of them if absent. */
  readonly compared?: (fields: New) => object;
  /** The record's place after a rename. */
  readonly moved: (at: Place, changes: Changes) => Place;
  readonly read: (caller: BoxesCaller, at: Place) => Promise<Item | null>;
  readonly create: (caller: BoxesCaller, within: Within, fields: New) => Promise<Item>;
  readonly update: (caller: BoxesCaller, at: Place, changes: Changes) => Promise<Item>;
  readonly remove: (caller: BoxesCaller, at: Place) => Promise<void>;
  /** The harm of changes to the stored record, if it depends on the record. */
  readonly harmOfChanges?: (
    changes: Changes,
    stored: Item,
    caller: BoxesCaller,
    at: Place,
  ) => Harm | undefined | Promise<Harm | undefined>;
  /** The harm of a new record to existing ones; absent if there is none. */
  readonly harmOfNew?: (fields: New, caller: BoxesCaller, within: Within) => Promise<Harm | undefined>;
}

/** A kind with only one record, which is neither created nor deleted. */
export type SettingsKind<Item extends Stored, Changes extends object> = Omit<
  RecordKind<object, Item, Changes>,
  'made' | 'create' | 'remove' | 'harmOfNew'
>;
