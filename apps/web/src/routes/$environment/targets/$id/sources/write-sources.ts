import type { Target } from '@gatehouse/api-types/console/targets';
import { membershipChange } from '#queries/membership-change.ts';
import {
  credentialKinds,
  type CredentialKind,
  type Revised,
  type TargetSourceWrites,
} from '#queries/target-sources.ts';
import type { SourceValues } from './source-form.ts';

/**
 * Writes the changes, each guarded by the revision of the previous write. Host sources are removed before an address is
 * set, and the address is cleared before host sources are added.
 * @param reached called after each write, so that a save that stops halfway can resume
 */
export async function writeSources(
  writes: TargetSourceWrites,
  begun: Revised,
  before: SourceValues,
  after: SourceValues,
  reached: ((target: Target) => void) | undefined,
): Promise<Target> {
  let at = begun;
  let last: Target | undefined;
  const step = async (writing: Promise<Target>): Promise<void> => {
    last = await writing;
    at = { ...begun, revision: last.revision };
    reached?.(last);
  };
  const address = async (): Promise<void> => {
    if (after.address !== before.address) await step(writes.setAddress(at, after.address));
  };
  const hosts = async (): Promise<void> => {
    if (isSame(before.host_source_ids, after.host_source_ids)) return;
    const { action, ids } = membershipChange(before.host_source_ids, after.host_source_ids);
    await step(writes.changeHosts(at, { action, host_source_ids: [...ids] }));
  };
  if (after.host_source_ids.length === 0) {
    await hosts();
    await address();
  } else {
    await address();
    await hosts();
  }
  const changed = credentialKinds.filter((kind) => !isSame(before[kind], after[kind]));
  if (changed.length > 0) {
    const changes = changed.map((kind) => [kind, membershipChange(before[kind], after[kind])] as const);
    const actions = new Set(changes.map(([, { action }]) => action));
    const [only] = actions.size === 1 ? actions : [];
    // One write for all kinds: add or remove if that is enough, else set.
    const action = only ?? 'set';
    const ids = (kind: CredentialKind, named: readonly string[]): string[] => [
      ...(action === only ? named : after[kind]),
    ];
    await step(
      writes.changeCredentials(at, {
        action,
        ...Object.fromEntries(changes.map(([kind, change]) => [kind, ids(kind, change.ids)])),
      }),
    );
  }
  return last ?? writes.read(begun.id);
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return new Set(before).symmetricDifference(new Set(after)).size === 0;
}
