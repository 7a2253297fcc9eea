import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { hostSetPrefix } from '../../domain/host/set.ts';
import type { MembershipVerb } from '../../domain/members.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { changedHostSources } from '../../domain/target/sources.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';
import { targetId } from './target-id.ts';

/** POST /v1/targets/{id}:{add,set,remove}-host-sources: changes which host sets a target takes its hosts from. */
export function changeHostSources(verb: MembershipVerb): Operation {
  return async (context, req, res) => {
    const { role } = requireOn(context, req, 'target', `${verb}-host-sources`);
    const id = targetId(req);
    const faults = new FieldFaults();
    const members = new MemberReader(readObject(req), faults);
    const version = members.version();
    const sourceIds = members.strings('host_source_ids') ?? [];
    if (sourceIds.length === 0 && verb !== 'set') faults.add('host_source_ids', 'Must be non-empty.');
    if (!sourceIds.every((sourceId) => isId(sourceId, hostSetPrefix))) {
      faults.add('host_source_ids', 'Incorrectly formatted identifier.');
    }
    faults.refuseAny();

    const target = await context.targets.changeSources(id, version ?? 0, (current, find) => {
      const changed = changedHostSources(current, verb, sourceIds, find);
      return changed === current ? current : { ...changed, updatedTime: context.clock.now() };
    });
    sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
  };
}
