/** Operations shared by all collections of records. */
import type { Harm } from '../harm.ts';
import { addresses, type Addresses, type AuditName, type Method } from './address.ts';

/** The operations of a stored record. */
export type RecordAddresses<Resource extends string, Kind extends string> = Addresses<
  Resource,
  {
    readonly get: { readonly method: 'GET'; readonly path: `/api/${string}` };
    readonly create: Changing<'POST', `${Kind}.create`>;
    readonly update: Changing<'PATCH', `${Kind}.update`>;
    readonly delete: Changing<'DELETE', `${Kind}.delete`> & { readonly harm: Harm };
  }
>;

interface Changing<M extends Method, Audit extends AuditName> {
  readonly method: M;
  readonly path: `/api/${string}`;
  readonly audit: Audit;
  readonly harm?: Harm;
}

/** The harm of changing a record; deleting one `loses` it unless given. */
export type RecordHarms = Readonly<Partial<Record<'create' | 'update' | 'delete', Harm>>>;

/**
 * Addresses for reading, creating, changing and deleting the records of a resource.
 * @param kind the record's kind in the audit trail
 * @param path of the collection
 * @param options `id`: the path parameter that identifies a record, or several joined with `/:`
 */
// @__NO_SIDE_EFFECTS__
export function recordAddresses<const Resource extends string, const Kind extends string>(
  resource: Resource,
  kind: Kind,
  path: `/api/${string}`,
  { id = 'id', harms }: { readonly id?: string; readonly harms?: RecordHarms } = {},
): RecordAddresses<Resource, Kind> {
  const one = `${path}/:${id}` as const;
  return addresses(resource, {
    get: { method: 'GET', path: one },
    create: { method: 'POST', path, audit: `${kind}.create`, ...harmOf(harms?.create) },
    update: { method: 'PATCH', path: one, audit: `${kind}.update`, ...harmOf(harms?.update) },
    delete: { method: 'DELETE', path: one, audit: `${kind}.delete`, harm: harms?.delete ?? 'loses' },
  });
}

function harmOf(harm: Harm | undefined): { readonly harm?: Harm } {
  return harm === undefined ? {} : { harm };
}

/** What a list belongs to: the query field that identifies it, or only the environment. */
export type Container = 'environment' | 'scope_id' | 'host_catalog_id' | 'credential_store_id';

/** `RecordAddresses` plus a paged list. */
export type CollectionAddresses<
  Resource extends string,
  Kind extends string,
  Within extends Container,
> = RecordAddresses<Resource, Kind> &
  Addresses<
    Resource,
    {
      readonly list: {
        readonly method: 'GET';
        readonly path: `/api/${string}`;
        readonly container: Within;
      };
    }
  >;

/** The five operations of a collection of the access controller. */
// @__NO_SIDE_EFFECTS__
export function collectionAddresses<
  const Resource extends string,
  const Kind extends string,
  const Within extends Container,
>(
  resource: Resource,
  kind: Kind,
  collection: string,
  container: Within,
  harms?: RecordHarms,
): CollectionAddresses<Resource, Kind, Within> {
  const path = `/api/environments/:environment/access/${collection}` as const;
  const list = { method: 'GET', path, container } as const;
  return {
    ...addresses(resource, { list }),
    ...recordAddresses(resource, kind, path, { ...(harms !== undefined && { harms }) }),
  };
}
