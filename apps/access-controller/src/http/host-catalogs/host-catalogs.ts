import { newId } from '@gatehouse/service-kit/ids';
import { hostCatalogPrefix, type HostCatalog } from '../../domain/host/catalog.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { isEmptyChange } from '../body.ts';
import { type Container, inProject, type ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** A host catalog as a container of host sets and hosts. */
export const inCatalog: Container = {
  field: 'host_catalog_id',
  prefix: hostCatalogPrefix,
  projectOf: (context, id) => context.hostCatalogs.get(id)?.projectId,
};

/** /v1/host-catalogs */
export const hostCatalogs: ResourceKind<HostCatalog> = {
  type: 'host-catalog',
  prefixes: [hostCatalogPrefix],
  container: inProject,
  store: (context) => context.hostCatalogs,
  readNew(_context, body, faults) {
    checkNewType(body, true, faults);
    const label = readNewLabel(body, faults);
    return ({ projectId, createdTime, updatedTime, version }) => ({
      id: newId(hostCatalogPrefix),
      projectId,
      ...label,
      createdTime,
      updatedTime,
      version,
    });
  },
  readChange(_context, _id, body, faults) {
    checkSameType(body, staticType, faults);
    const change = readLabelChange(body, faults);
    if (isEmptyChange(change)) return undefined;
    return (current) => ({ ...current, ...changedLabel(current, change, new FieldFaults()) });
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (catalog) => ({
      ...wireResource(catalog, scopeOf(catalog.projectId)),
      scope_id: catalog.projectId,
      type: staticType,
      attributes: {},
      authorized_actions: allowedOn('host-catalog', role),
      authorized_collection_actions: {
        'host-sets': allowedIn('host-set', role),
        hosts: allowedIn('host', role),
      },
    });
  },
};
