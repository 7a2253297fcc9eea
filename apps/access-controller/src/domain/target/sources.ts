import { changedMembers } from '../members.ts';
import type { MembershipVerb } from '../members.ts';
import { FieldFaults, Refusal } from '../refusal.ts';
import { credentialPurposes } from './target.ts';
import type { CredentialPurpose, CredentialSource, HostSource, Target } from './target.ts';

/** Finds the sources that a target may have: those in its own project. */
export interface SourceFinder {
  hostSource(id: string): HostSource | undefined;
  credentialSource(id: string): CredentialSource | undefined;
}

/** IDs of credential sources, by purpose. */
export type CredentialSourceIds = Readonly<Record<CredentialPurpose, readonly string[]>>;

/** The request field of each purpose. */
export const credentialSourceFields: Readonly<Record<CredentialPurpose, string>> = {
  application: 'application_credential_source_ids',
  brokered: 'brokered_credential_source_ids',
  injected_application: 'injected_application_credential_source_ids',
};

/** Types of credentials that a worker can't sign in with, as in Boundary. */
const withoutLogin: ReadonlySet<string> = new Set(['json', 'password']);

/**
 * A target after a change of its host sources; the same object if nothing changes.
 * @throws Refusal `failed precondition` (an address is set), `invalid argument` on `host_source_ids`
 */
export function changedHostSources(
  target: Target,
  verb: MembershipVerb,
  ids: readonly string[],
  find: SourceFinder,
): Target {
  if (verb !== 'remove' && target.address !== '') {
    throw new Refusal(
      'failed precondition',
      `Cannot ${verb} host sources: the target has an address. Clear it first.`,
    );
  }
  const faults = new FieldFaults();
  const hostSources = changedSources(
    target.hostSources,
    verb,
    ids,
    'host_source_ids',
    (id) => find.hostSource(id),
    faults,
  );
  faults.refuseAny();
  return hostSources === target.hostSources ? target : { ...target, hostSources };
}

/**
 * A target after a change of its credential sources; the same object if nothing changes. Setting replaces all three
 * kinds.
 * @throws Refusal `invalid argument` on the fields of the kinds
 */
export function changedCredentialSources(
  target: Target,
  verb: MembershipVerb,
  ids: CredentialSourceIds,
  find: SourceFinder,
): Target {
  const faults = new FieldFaults();
  const after = (purpose: CredentialPurpose): readonly CredentialSource[] =>
    changedSources(
      target.credentialSources[purpose],
      verb,
      ids[purpose],
      credentialSourceFields[purpose],
      (id) => find.credentialSource(id),
      faults,
    );
  const credentialSources = {
    application: after('application'),
    brokered: after('brokered'),
    injected_application: after('injected_application'),
  };
  // A worker injects credentials only into protocols that it speaks.
  if (target.type === 'tcp' && credentialSources.injected_application.length > 0) {
    faults.add(
      credentialSourceFields.injected_application,
      "Targets of type tcp can't have injected credentials.",
    );
  }
  const injected = target.credentialSources.injected_application;
  // Sources that the target already has aren't checked, which keeps its other sources editable.
  for (const { id, type, credentialType } of credentialSources.injected_application) {
    if (type !== 'static' || !withoutLogin.has(credentialType)) continue;
    if (injected.some((source) => source.id === id)) continue;
    faults.add(
      credentialSourceFields.injected_application,
      `The credential ${id} of type ${credentialType} can't be injected: a worker needs a user name with a password or a key.`,
    );
  }
  faults.refuseAny();
  const same = credentialPurposes.every(
    (purpose) => credentialSources[purpose] === target.credentialSources[purpose],
  );
  return same ? target : { ...target, credentialSources };
}

/** Most sources of one kind of a target. */
const mostSources = 50;

function changedSources<Source extends { readonly id: string }>(
  current: readonly Source[],
  verb: MembershipVerb,
  ids: readonly string[],
  field: string,
  find: (id: string) => Source | undefined,
  faults: FieldFaults,
): readonly Source[] {
  const before = current.map((source) => source.id);
  const after = changedMembers(before, verb, ids, field, 'The target', mostSources, faults);
  if (after === before) return current;
  const known = new Map(current.map((source) => [source.id, source]));
  return after.flatMap((id) => {
    const source = known.get(id) ?? find(id);
    if (source !== undefined) return [source];
    faults.add(field, `The target's project has no source ${id}.`);
    return [];
  });
}
