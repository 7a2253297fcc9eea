import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { credentialPrefixes } from '../../domain/credential/credential.ts';
import { hostSetPrefix } from '../../domain/host/set.ts';
import type { MembershipVerb } from '../../domain/members.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import {
  changedCredentialSources,
  credentialSourceFields,
  type CredentialSourceIds,
  changedHostSources,
} from '../../domain/target/sources.ts';
import { libraryPrefix } from '../../domain/vault-store/library.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';
import { targetId } from './targets.ts';

const prefixes = [...Object.values(credentialPrefixes), libraryPrefix];

/**
 * POST /v1/targets/{id}:{add,set,remove}-credential-sources: changes a target's credential sources, all three kinds
 * in one step. Setting replaces them all: a kind that the body omits becomes empty.
 */
export function changeCredentialSources(verb: MembershipVerb): Operation {
  return async (context, req, res) => {
    const { role } = requireOn(context, req, 'target', `${verb}-credential-sources`);
    const id = targetId(req);
    const faults = new FieldFaults();
    const members = new MemberReader(readObject(req), faults);
    const version = members.version();
    const sourceIds = readSourceIds(members, faults);
    if (Object.values(sourceIds).every((ids) => ids.length === 0) && verb !== 'set') {
      for (const field of Object.values(credentialSourceFields)) {
        faults.add(field, 'At least one credential source of any kind must be given.');
      }
    }
    faults.refuseAny();

    const target = await context.targets.changeSources(id, version ?? 0, (current, find) => {
      const changed = changedCredentialSources(current, verb, sourceIds, find);
      return changed === current ? current : { ...changed, updatedTime: context.clock.now() };
    });
    sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
  };
}

function readSourceIds(members: MemberReader, faults: FieldFaults): CredentialSourceIds {
  const read = (field: string): readonly string[] => {
    const ids = members.strings(field) ?? [];
    if (!ids.every((id) => isId(id, ...prefixes))) faults.add(field, 'Incorrectly formatted identifier.');
    return ids;
  };
  return {
    application: read(credentialSourceFields.application),
    brokered: read(credentialSourceFields.brokered),
    injected_application: read(credentialSourceFields.injected_application),
  };
}

/** POST /v1/targets/{id}:{add,set,remove}-host-sources: changes a target's host sets. */
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
