import type { Role } from '@gatehouse/service-kit/accounts';
import type { ResourceType } from '../../domain/permissions.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import type { ResourceStore } from '../../store/resources.ts';
import type { JsonObject } from '../body.ts';
import type { Context } from '../context.ts';

/** What a new resource has before its own fields are read. */
export interface NewResource {
  readonly projectId: string;
  /** What directly holds it: the project itself, or a catalog or store in it. */
  readonly containerId: string;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly version: number;
}

/** What directly holds resources of a kind. */
export interface Container {
  /** The field that names it, in bodies and queries. */
  readonly field: 'scope_id' | 'host_catalog_id' | 'credential_store_id';
  readonly prefix: string;
  /** The project that it is in, itself perhaps; undefined when it is not there. */
  projectOf(context: Context, id: string): string | undefined;
}

/** What an update makes of the current item. */
export type Change<Item> = (current: Item) => Item;

/** A change before which another service is asked. */
export interface AskingChange<Item> {
  /**
   * Asks, given the item as it is now; it is written only if it still has the same version.
   * @throws Refusal
   */
  ask(seen: Item, userId: string): Promise<Change<Item>>;
}

/** Resources of one kind: what is their own in the operations that all kinds have. */
export interface ResourceKind<Item extends Resource> {
  readonly type: ResourceType;
  /** Prefixes of ids. */
  readonly prefixes: readonly string[];
  readonly container: Container;
  store(context: Context): ResourceStore<Item>;
  /** Reads the body of a create operation. Faults are noted; the answer is then of no use. */
  readNew(
    context: Context,
    body: JsonObject,
    faults: FieldFaults,
  ): (fresh: NewResource, userId: string) => Item | Promise<Item>;
  /**
   * Reads the body of an update operation: what it makes of the current item, undefined when it sets nothing. Faults
   * are noted; the answer is then of no use.
   */
  readChange(
    context: Context,
    id: string,
    body: JsonObject,
    faults: FieldFaults,
  ): Change<Item> | AskingChange<Item> | undefined;
  /** Makes the wire forms of items, for one answer. */
  toWire(context: Context, role: Role | null): (item: Item) => Readonly<Record<string, unknown>>;
}

/** The project itself as a container. */
export const inProject: Container = {
  field: 'scope_id',
  prefix: 'p',
  projectOf: (context, id) => context.scopes.get(id)?.id,
};
