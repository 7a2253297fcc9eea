/** Host catalogs, host sets and hosts of the access controller: what targets choose their hosts from. */
import { record, scalar, set, text, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import { addressProblem } from './address.ts';
import {
  collectionActions,
  createErrors,
  deleteErrors,
  description,
  environmentParams,
  idParams,
  listErrors,
  members,
  nameOf,
  optionalName,
  pageLimit,
  pageOf,
  pageQuery,
  projectId,
  readErrors,
  setAction,
  storedSource,
  writeErrors,
} from './record-fields.ts';

export const hostCatalog = z.object({
  ...storedSource,
  scope_id: z.string(),
  authorized_collection_actions: collectionActions,
});
export type HostCatalog = z.output<typeof hostCatalog>;

export const hostSet = z.object({
  ...storedSource,
  host_catalog_id: z.string(),
  host_ids: z.array(z.string()),
});
export type HostSet = z.output<typeof hostSet>;

export const host = z.object({
  ...storedSource,
  host_catalog_id: z.string(),
  attributes: z.object({ address: z.string() }),
  /** The sets of the catalog that hold it. */
  host_set_ids: z.array(z.string()),
});
export type Host = z.output<typeof host>;

const address = z.string().check(
  z.trim(),
  z.superRefine((value, context) => {
    const message = value === '' ? 'A host needs an address.' : addressProblem(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);

/** The fields that a person edits, all present; '' means that the field is not set. */
export const hostCatalogFields = z.strictObject({ name: nameOf('A host catalog'), description });
export type HostCatalogFields = z.output<typeof hostCatalogFields>;
export const hostSetFields = z.strictObject({ name: nameOf('A host set'), description });
export type HostSetFields = z.output<typeof hostSetFields>;
export const hostFields = z.strictObject({
  name: optionalName,
  description,
  attributes: z.strictObject({ address }),
});
export type HostFields = z.output<typeof hostFields>;

export const hostCatalogPolicy: RecordPolicy = record({ name: scalar, description: text });
export const hostSetPolicy: RecordPolicy = record({ name: scalar, description: text, host_ids: set });
export const hostPolicy: RecordPolicy = record({
  name: scalar,
  description: text,
  attributes: record({ address: scalar }),
});

/** The editable fields of a stored host catalog. */
export function fieldsOfHostCatalog(from: HostCatalog): HostCatalogFields {
  return { name: from.name, description: from.description };
}

/** The editable fields of a stored host set; its hosts are changed by `changeHostSetHosts`. */
export function fieldsOfHostSet(from: HostSet): HostSetFields {
  return { name: from.name, description: from.description };
}

/** The editable fields of a stored host. */
export function fieldsOfHost(from: Host): HostFields {
  return { name: from.name, description: from.description, attributes: { address: from.attributes.address } };
}

const catalogQuery = z.strictObject({ host_catalog_id: z.string(), ...pageQuery });

export const listHostCatalogs = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/host-catalogs',
  summary: 'A page of the host catalogs in a scope',
  params: environmentParams,
  query: z.strictObject({
    /** A project; any scope with recursive. */
    scope_id: z.string(),
    recursive: z.optional(z.stringbool()),
    ...pageQuery,
  }),
  response: pageOf(hostCatalog),
  errors: listErrors,
});

export const getHostCatalog = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/host-catalogs/:id',
  summary: 'One host catalog',
  params: idParams,
  response: hostCatalog,
  errors: readErrors,
});

export const newHostCatalog = z.strictObject({
  scope_id: projectId('Choose the project that will hold the host catalog.'),
  name: nameOf('A host catalog'),
  description: z.optional(description),
});

export const createHostCatalog = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/host-catalogs',
  summary: 'Create a static host catalog in a project',
  params: environmentParams,
  body: newHostCatalog,
  response: hostCatalog,
  audit: 'host-catalog.create',
  errors: createErrors,
});

/** The changed fields alone; '' clears a field. */
export const hostCatalogChanges = z.partial(hostCatalogFields);

export const updateHostCatalog = defineEndpoint({
  method: 'PATCH',
  path: '/api/environments/:environment/access/host-catalogs/:id',
  summary: 'Change fields of a host catalog',
  params: idParams,
  body: hostCatalogChanges,
  response: hostCatalog,
  audit: 'host-catalog.update',
  errors: writeErrors,
  guarded: true,
});

export const deleteHostCatalog = defineEndpoint({
  method: 'DELETE',
  path: '/api/environments/:environment/access/host-catalogs/:id',
  summary: 'Delete a host catalog with its sets and hosts',
  params: idParams,
  audit: 'host-catalog.delete',
  errors: deleteErrors,
  guarded: true,
  confirm: 'production',
});

export const listHostSets = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/host-sets',
  summary: 'A page of the host sets of a catalog',
  params: environmentParams,
  query: catalogQuery,
  response: pageOf(hostSet),
  errors: listErrors,
});

export const getHostSet = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/host-sets/:id',
  summary: 'One host set',
  params: idParams,
  response: hostSet,
  errors: readErrors,
});

export const createHostSet = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/host-sets',
  summary: 'Create a host set in a catalog',
  params: environmentParams,
  body: z.strictObject({
    host_catalog_id: z.string(),
    name: nameOf('A host set'),
    description: z.optional(description),
  }),
  response: hostSet,
  audit: 'host-set.create',
  errors: createErrors,
});

export const updateHostSet = defineEndpoint({
  method: 'PATCH',
  path: '/api/environments/:environment/access/host-sets/:id',
  summary: 'Change fields of a host set',
  params: idParams,
  body: z.partial(hostSetFields),
  response: hostSet,
  audit: 'host-set.update',
  errors: writeErrors,
  guarded: true,
});

export const deleteHostSet = defineEndpoint({
  method: 'DELETE',
  path: '/api/environments/:environment/access/host-sets/:id',
  summary: 'Delete a host set; targets lose it as a source',
  params: idParams,
  audit: 'host-set.delete',
  errors: deleteErrors,
  guarded: true,
  confirm: 'production',
});

/** Adding and removing take at least one; setting may leave the set empty. */
export const hostSetHostsChange = z.strictObject({ action: setAction, host_ids: members }).check(
  z.refine(({ action, host_ids }) => action === 'set' || host_ids.length > 0, {
    path: ['host_ids'],
    message: 'Choose at least one host.',
  }),
);

export const changeHostSetHosts = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/host-sets/:id/hosts',
  summary: 'Add hosts to a host set, remove some, or set them',
  params: idParams,
  body: hostSetHostsChange,
  response: hostSet,
  audit: 'host-set.change-hosts',
  errors: writeErrors,
  guarded: true,
});

export const listHosts = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/hosts',
  summary: 'A page of the hosts of a catalog',
  params: environmentParams,
  query: catalogQuery,
  response: pageOf(host),
  errors: listErrors,
});

export const getHost = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/hosts/:id',
  summary: 'One host',
  params: idParams,
  response: host,
  errors: readErrors,
});

export const createHost = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/hosts',
  summary: 'Create a host in a catalog',
  params: environmentParams,
  body: z.strictObject({
    host_catalog_id: z.string(),
    name: z.optional(optionalName),
    description: z.optional(description),
    attributes: z.strictObject({ address }),
  }),
  response: host,
  audit: 'host.create',
  errors: createErrors,
});

export const updateHost = defineEndpoint({
  method: 'PATCH',
  path: '/api/environments/:environment/access/hosts/:id',
  summary: 'Change fields of a host',
  params: idParams,
  body: z.partial(hostFields),
  response: host,
  audit: 'host.update',
  errors: writeErrors,
  guarded: true,
});

export const deleteHost = defineEndpoint({
  method: 'DELETE',
  path: '/api/environments/:environment/access/hosts/:id',
  summary: 'Delete a host; sets lose it',
  params: idParams,
  audit: 'host.delete',
  errors: deleteErrors,
  guarded: true,
  confirm: 'production',
});

/** A host set as a picker shows it. */
export const hostSourceChoice = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  host_catalog_id: z.string(),
  host_catalog_name: z.string(),
  host_count: z.int(),
});
export type HostSourceChoice = z.output<typeof hostSourceChoice>;

export const searchHostSources = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/host-sources',
  summary: 'Host sets of every catalog of a project, by name, description or id',
  params: environmentParams,
  query: z.strictObject({
    /** A project. */
    scope_id: z.string(),
    /** Text that name, description or id holds, in any case. */
    search: z.optional(z.string().check(z.maxLength(200))),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(pageLimit))),
  }),
  response: z.object({
    items: z.array(hostSourceChoice),
    /** Whether there are more than are answered: narrow the search. */
    more: z.boolean(),
  }),
  errors: listErrors,
});
