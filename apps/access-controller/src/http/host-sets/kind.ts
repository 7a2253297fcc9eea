import { newId } from '@gatehouse/service-kit/ids';
import { hostSetPrefix } from '../../domain/host/set.ts';
import type { HostSet } from '../../domain/host/set.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { isEmptyChange } from '../body.ts';
import { inCatalog } from '../host-catalogs/container.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** /v1/host-sets. Their hosts are changed by operations of their own. */
export const hostSets: ResourceKind<HostSet> = {
  type: 'host-set',
  prefixes: [hostSetPrefix],
  container: inCatalog,
  store: (context) => context.hostSets,
  readNew(_context, body, faults) {
    checkNewType(body, false, faults);
    const label = readNewLabel(body, faults);
    return ({ containerId: catalogId, ...fresh }) => ({
      ...fresh,
      ...label,
      id: newId(hostSetPrefix),
      catalogId,
      hostIds: [],
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
    return (set) => ({
      ...wireResource(set, scopeOf(set.projectId)),
      host_catalog_id: set.catalogId,
      type: staticType,
      host_ids: set.hostIds,
      attributes: {},
      authorized_actions: allowedOn('host-set', role),
    });
  },
};
