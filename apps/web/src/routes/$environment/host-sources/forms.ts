/** The forms of host catalogs, host sets and hosts. */
import {
  fieldsOfHost,
  fieldsOfHostCatalog,
  fieldsOfHostSet,
  host,
  hostCatalog,
  hostCatalogFields,
  hostCatalogPolicy,
  hostFields,
  hostPolicy,
  hostSet,
  hostSetFields,
  hostSetPolicy,
  newHostCatalog,
  type Host,
  type HostCatalog,
  type HostCatalogFields,
  type HostFields,
  type HostSet,
  type HostSetFields,
} from '@gatehouse/api-types/console/host-sources';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { Choice, RecordFormSpec } from '#components/form/record-form.ts';
import { descriptionField, nameField, newForm, projectField } from '#components/record/label-fields.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import type { NewHost, NewHostCatalog, NewHostSet } from '#queries/host-sources.ts';
import { shownCatalogs, shownHosts, shownHostSets } from './kinds.ts';

export const catalogNames: CodeNames = {
  collection: 'host-catalogs',
  command: 'host-catalogs',
  type: 'static',
  resource: 'boundary_host_catalog_static',
};
export const hostSetNames: CodeNames = {
  collection: 'host-sets',
  command: 'host-sets',
  type: 'static',
  resource: 'boundary_host_set_static',
};
export const hostNames: CodeNames = {
  collection: 'hosts',
  command: 'hosts',
  type: 'static',
  resource: 'boundary_host_static',
};

const catalogForm: RecordFormSpec<HostCatalogFields> = {
  noun: 'host catalog',
  schema: hostCatalogFields,
  policy: hostCatalogPolicy,
  sections: [
    {
      title: 'Identity',
      fields: [nameField('project'), descriptionField],
    },
  ],
};

export const catalogKind: RecordKind<
  HostCatalog,
  HostCatalogFields,
  NewHostCatalog,
  Partial<HostCatalogFields>
> = {
  ...shownCatalogs,
  schema: hostCatalog,
  fieldsOf: fieldsOfHostCatalog,
  formOf: () => catalogForm,
  bodyOf: (changed) => changed,
  anewOf: (fields, { scope_id }) => ({ ...fields, scope_id }),
  code: editAsCode(({ scope_id }) => ({ names: catalogNames, place: { scope_id } })),
};

/** The form of a new catalog, with its project. */
export function newCatalogForm(projects: readonly Choice[]) {
  const words = "Targets in this project can use the catalog's host sets. The catalog can't be moved later.";
  return newForm(catalogForm, newHostCatalog, projectField(projects, words));
}

const hostSetForm: RecordFormSpec<HostSetFields> = {
  noun: 'host set',
  schema: hostSetFields,
  // A set's hosts are edited on their own page.
  policy: record({
    name: hostSetPolicy.fields['name'] ?? scalar,
    description: hostSetPolicy.fields['description'] ?? scalar,
  }),
  sections: [
    {
      title: 'Identity',
      fields: [nameField('catalog'), descriptionField],
    },
  ],
};

/** The form of a new set, which is created empty. */
export const newHostSetForm: RecordFormSpec<HostSetFields> = {
  ...hostSetForm,
  sections: hostSetForm.sections.map((section) => ({
    ...section,
    description: 'A set is created empty. Add hosts on its page afterwards.',
  })),
};

export const hostSetKind: RecordKind<HostSet, HostSetFields, NewHostSet, Partial<HostSetFields>> = {
  ...shownHostSets,
  schema: hostSet,
  fieldsOf: fieldsOfHostSet,
  formOf: () => hostSetForm,
  bodyOf: (changed) => changed,
  anewOf: (fields, { host_catalog_id }) => ({ ...fields, host_catalog_id }),
  code: editAsCode(({ host_catalog_id }) => ({ names: hostSetNames, place: { host_catalog_id } })),
};

export const hostForm: RecordFormSpec<HostFields> = {
  noun: 'host',
  schema: hostFields,
  policy: hostPolicy,
  sections: [
    {
      title: 'Host',
      fields: [
        {
          path: 'attributes.address',
          label: 'Address',
          input: { kind: 'text', isMono: true, placeholder: 'db.internal' },
          isRequired: true,
          description: 'A host name or an IP address, without a port. The port is set on the target.',
        },
        {
          path: 'name',
          label: 'Name',
          input: { kind: 'text' },
          description: 'Unique in the catalog. Without a name, the address is shown.',
        },
        descriptionField,
      ],
    },
  ],
};

export const hostKind: RecordKind<Host, HostFields, NewHost, Partial<HostFields>> = {
  ...shownHosts,
  schema: host,
  fieldsOf: fieldsOfHost,
  formOf: () => hostForm,
  bodyOf: (changed) => changed,
  anewOf: (fields, { host_catalog_id }) => ({ ...fields, host_catalog_id }),
  code: editAsCode(({ host_catalog_id }) => ({ names: hostNames, place: { host_catalog_id } })),
};
