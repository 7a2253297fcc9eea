import { newId } from '@gatehouse/service-kit/ids';
import { changedHostAddress, hostPrefix, type Host } from '../../domain/host/host.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { isEmptyChange } from '../body.ts';
import { inCatalog } from '../host-catalogs/host-catalogs.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readAttributes } from '../wire/attributes.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** /v1/hosts */
export const hosts: ResourceKind<Host> = {
  type: 'host',
  prefixes: [hostPrefix],
  container: inCatalog,
  store: (context) => context.hosts,
  readNew(_context, body, faults) {
    checkNewType(body, false, faults);
    const label = readNewLabel(body, faults);
    const given = readAttributes(body, ['address'], faults).string('address') ?? '';
    const address = changedHostAddress('', given, faults);
    return ({ containerId: catalogId, ...fresh }) => ({
      ...fresh,
      ...label,
      id: newId(hostPrefix),
      catalogId,
      address,
      hostSetIds: [],
    });
  },
  readChange(_context, _id, body, faults) {
    checkSameType(body, staticType, faults);
    const label = readLabelChange(body, faults);
    const given = readAttributes(body, ['address'], faults).string('address');
    if (isEmptyChange({ ...label, given })) return undefined;
    const address = given === undefined ? undefined : changedHostAddress('', given, faults);
    return (current) => ({
      ...current,
      ...changedLabel(current, label, new FieldFaults()),
      address: address ?? current.address,
    });
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (host) => ({
      ...wireResource(host, scopeOf(host.projectId)),
      host_catalog_id: host.catalogId,
      type: staticType,
      host_set_ids: host.hostSetIds,
      attributes: { address: host.address },
      authorized_actions: allowedOn('host', role),
    });
  },
};
