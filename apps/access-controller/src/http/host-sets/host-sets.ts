import { sendJson } from '@gatehouse/service-kit/http';
import { newId, isId } from '@gatehouse/service-kit/ids';
import { hostPrefix } from '../../domain/host/host.ts';
import { hostSetPrefix, type HostSet, changedHosts } from '../../domain/host/set.ts';
import { changedLabel } from '../../domain/label.ts';
import type { MembershipVerb } from '../../domain/members.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { isEmptyChange, MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { inCatalog } from '../host-catalogs/host-catalogs.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** /v1/host-sets. Separate operations change their hosts. */
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

/** POST /v1/host-sets/{id}:{add,set,remove}-hosts: changes the hosts of a set. */
export function changeHosts(verb: MembershipVerb): Operation {
  return async (context, req, res) => {
    const { role } = requireOn(context, req, 'host-set', `${verb}-hosts`);
    const id = pathId(req, hostSetPrefix);
    const faults = new FieldFaults();
    const members = new MemberReader(readObject(req), faults);
    const version = members.version();
    const hostIds = members.strings('host_ids') ?? [];
    if (hostIds.length === 0 && verb !== 'set') faults.add('host_ids', 'Must be non-empty.');
    if (!hostIds.every((hostId) => isId(hostId, hostPrefix))) {
      faults.add('host_ids', 'Incorrectly formatted identifier.');
    }
    faults.refuseAny();

    const set = await context.hostSets.changeHosts(id, version ?? 0, (current, isInCatalog) => {
      const after = changedHosts(current, verb, hostIds, isInCatalog);
      if (after === current.hostIds) return current;
      return { ...current, hostIds: after, updatedTime: context.clock.now() };
    });
    sendJson(res, 200, hostSets.toWire(context, role)(set));
  };
}
