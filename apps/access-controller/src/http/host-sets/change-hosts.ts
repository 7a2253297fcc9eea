import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { hostPrefix } from '../../domain/host/host.ts';
import { changedHosts, hostSetPrefix } from '../../domain/host/set.ts';
import type { MembershipVerb } from '../../domain/members.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import { hostSets } from './kind.ts';

/** POST /v1/host-sets/{id}:{add,set,remove}-hosts: changes which hosts of the catalog are in a set. */
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
