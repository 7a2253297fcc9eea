import type { Role } from '@gatehouse/service-kit/accounts';
import type { ResourceType } from '../../domain/permissions.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import type { ResourceStore } from '../../store/resources.ts';
import type { JsonObject } from '../body.ts';
import type { Context } from '../context.ts';

/** The fields of a new resource that don't come from its kind. */
export interface NewResource {
  readonly projectId: string;
  /** The direct container: the project itself, or a catalog or store in it. */
  readonly containerId: string;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly version: number;
}

/** A kind of direct container of resources. */
export interface Container {
  /** The field with its ID, in bodies and queries. */
  readonly field: 'scope_id' | 'host_catalog_id' | 'credential_store_id';
  readonly prefix: string;
  /** The container's project, which may be the container itself; undefined if the container doesn't exist. */
  projectOf(context: Context, id: string): string | undefined;
}

/** Builds the changed item from the current one. */
export type Change<Item> = (current: Item) => Item;

/** A change that another service must check first. */
export interface AskingChange<Item> {
  /**
   * Checks the change with another service. `seen` is the present item; the change is written only if its version is
   * still the same.
   * @throws Refusal
   */
  ask(seen: Item, userId: string): Promise<Change<Item>>;
}

/** The parts of the common operations that are specific to one kind of resource. */
export interface ResourceKind<Item extends Resource> {
  readonly type: ResourceType;
  readonly prefixes: readonly string[];
  readonly container: Container;
  store(context: Context): ResourceStore<Item>;
  /** Reads the body of a create operation. After a fault the result is meaningless. */
  readNew(
    context: Context,
    body: JsonObject,
    faults: FieldFaults,
  ): (fresh: NewResource, userId: string) => Item | Promise<Item>;
  /** Reads the body of an update operation; undefined if it sets no field. After a fault the result is meaningless. */
  readChange(
    context: Context,
    id: string,
    body: JsonObject,
    faults: FieldFaults,
  ): Change<Item> | AskingChange<Item> | undefined;
  /** Builds the wire forms of the items of one answer. */
  toWire(context: Context, role: Role | null): (item: Item) => Readonly<Record<string, unknown>>;
}

export const inProject: Container = {
  field: 'scope_id',
  prefix: 'p',
  projectOf: (context, id) => context.scopes.get(id)?.id,
};
