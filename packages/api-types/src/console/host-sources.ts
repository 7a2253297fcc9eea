/** Host catalogs, host sets and hosts of the access controller, from which targets choose hosts. */
import { set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import { addressProblem } from './address.ts';
import * as at from './addresses/access.ts';
import { policyOf } from './field-kinds.ts';
import {
  collectionActions,
  description,
  idParams,
  members,
  nameOf,
  optionalName,
  projectId,
  setAction,
  sourceSearch,
  storedSource,
  writeErrors,
  defineCollection,
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
  /** The sets of its catalog that contain the host. */
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

/** The fields that a user edits, all present; '' for a field that is not set. */
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

export const hostCatalogPolicy = policyOf(hostCatalogFields);
export const hostSetPolicy = policyOf(hostSetFields, { more: { host_ids: set } });
export const hostPolicy = policyOf(hostFields);

/** The editable fields of a stored host catalog. */
export function fieldsOfHostCatalog(from: HostCatalog): HostCatalogFields {
  return { name: from.name, description: from.description };
}

/** The editable fields of a stored host set; `hostSets.changeHosts` changes its hosts. */
export function fieldsOfHostSet(from: HostSet): HostSetFields {
  return { name: from.name, description: from.description };
}

/** The editable fields of a stored host. */
export function fieldsOfHost(from: Host): HostFields {
  return { name: from.name, description: from.description, attributes: { address: from.attributes.address } };
}

export const newHostCatalog = z.strictObject({
  scope_id: projectId('Choose the project that will hold the host catalog.'),
  name: nameOf('A host catalog'),
  description: z.optional(description),
});

/** Only the changed fields; '' clears a field. */
export const hostCatalogChanges = z.partial(hostCatalogFields);

/** Adding and removing require at least one host; setting may leave the set empty. */
export const hostSetHostsChange = z.strictObject({ action: setAction, host_ids: members }).check(
  z.refine(({ action, host_ids }) => action === 'set' || host_ids.length > 0, {
    path: ['host_ids'],
    message: 'Choose at least one host.',
  }),
);

/** A host set in a picker. */
export const hostSourceChoice = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  host_catalog_id: z.string(),
  host_catalog_name: z.string(),
  host_count: z.int(),
});
export type HostSourceChoice = z.output<typeof hostSourceChoice>;

export const hostCatalogs = defineResource(() =>
  defineCollection(at.hostCatalogs, {
    record: hostCatalog,
    fields: newHostCatalog,
    changes: hostCatalogChanges,
    list: { summary: 'A page of the host catalogs in a scope' },
    get: { summary: 'One host catalog' },
    create: { summary: 'Create a static host catalog in a project' },
    update: { summary: 'Edit a host catalog; only the given fields change' },
    delete: { summary: 'Delete a host catalog with its sets and hosts' },
  }),
);

export const hostSets = defineResource(() => ({
  ...defineCollection(at.hostSets, {
    record: hostSet,
    fields: z.strictObject({
      host_catalog_id: z.string(),
      name: nameOf('A host set'),
      description: z.optional(description),
    }),
    changes: z.partial(hostSetFields),
    list: { summary: 'A page of the host sets of a catalog' },
    get: { summary: 'One host set' },
    create: { summary: 'Create a host set in a catalog' },
    update: { summary: 'Edit a host set; only the given fields change' },
    delete: { summary: 'Delete a host set; targets lose it as a source' },
  }),
  changeHosts: defineEndpoint(at.hostSets.changeHosts, {
    summary: 'Add hosts to a host set, remove hosts, or replace them all',
    params: idParams,
    body: hostSetHostsChange,
    response: hostSet,
    errors: writeErrors,
    guarded: true,
  }),
  search: defineEndpoint(at.hostSets.search, {
    summary: 'Host sets of every catalog of a project, by name, description or ID',
    ...sourceSearch(hostSourceChoice),
  }),
}));

export const hosts = defineResource(() =>
  defineCollection(at.hosts, {
    record: host,
    fields: z.strictObject({
      host_catalog_id: z.string(),
      name: z.optional(optionalName),
      description: z.optional(description),
      attributes: z.strictObject({ address }),
    }),
    changes: z.partial(hostFields),
    list: { summary: 'A page of the hosts of a catalog' },
    get: { summary: 'One host' },
    create: { summary: 'Create a host in a catalog' },
    update: { summary: 'Edit a host; only the given fields change' },
    delete: { summary: 'Delete a host; sets lose it' },
  }),
);
