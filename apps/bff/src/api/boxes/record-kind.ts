import type { Harm } from '@gatehouse/api-types/console/harm';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';

/** What every stored record has. */
export interface Stored {
  readonly revision: string;
  /** Of what is deleted with it too, where that is more than itself. */
  readonly whole_revision?: string;
  readonly created_time?: string;
  readonly updated_time?: string;
}

/** One kind of records. */
export interface RecordKind<
  Place extends object,
  Item extends Stored,
  Changes extends object,
  Within extends object = object,
  New extends object = object,
> {
  /** As problems and the audit trail call it. */
  readonly kind:
    | 'box'
    | 'box-version'
    | 'box-provider'
    | 'organization'
    | 'organization-member'
    | 'box-settings';
  /** The names of a place, outermost first. */
  readonly names: readonly (keyof Place & string)[];
  /** Where a new one will be. */
  readonly made: (within: Within, fields: New) => Place;
  /** What of a new one can be compared with the stored secrets, where that is not all. */
  readonly compared?: (fields: New) => object;
  /** Where it is after a change of its name. */
  readonly moved: (at: Place, changes: Changes) => Place;
  readonly read: (caller: BoxesCaller, at: Place) => Promise<Item | null>;
  readonly create: (caller: BoxesCaller, within: Within, fields: New) => Promise<Item>;
  readonly update: (caller: BoxesCaller, at: Place, changes: Changes) => Promise<Item>;
  readonly remove: (caller: BoxesCaller, at: Place) => Promise<void>;
  /** What changes can do to the stored record, where that depends on it. */
  readonly harmOfChanges?: (
    changes: Changes,
    stored: Item,
    caller: BoxesCaller,
    at: Place,
  ) => Harm | undefined | Promise<Harm | undefined>;
  /** What a new one can do to those beside it, where it can. */
  readonly harmOfNew?: (fields: New, caller: BoxesCaller, within: Within) => Promise<Harm | undefined>;
}

/** A kind of which there is one alone: it is neither created nor deleted. */
export type SettingsKind<Item extends Stored, Changes extends object> = Omit<
  RecordKind<object, Item, Changes>,
  'made' | 'create' | 'remove' | 'harmOfNew'
>;
