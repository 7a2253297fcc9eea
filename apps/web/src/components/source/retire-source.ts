/** Replaces one source by another, target by target. */
import type { Target } from '@gatehouse/api-types/console/targets';
import { isApiError, isUnknownOutcome } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { SourceKind, TargetSourceWrites } from '#queries/target-sources.ts';

/** The state of one target. */
export type Retirement =
  | { readonly state: 'waiting' | 'adding' | 'removing' | 'done' | 'not-used' }
  | {
      readonly state: 'stopped';
      readonly reason: string;
      /** What the target has now: only the old source, both, or unknown. */
      readonly left: 'old' | 'both' | 'unknown';
    };

/** Attempts per target: after someone else's change, it is read again. */
const attempts = 3;

/**
 * Adds the replacement to a target for each role of the old source, then removes the old one, so that the
 * target always has a source. If refused, it stops and says what is left.
 */
export async function retireAt(
  writes: TargetSourceWrites,
  id: string,
  { old, replacement, kinds }: { old: string; replacement: string; kinds: readonly SourceKind[] },
  report: (state: Retirement) => void,
): Promise<Retirement> {
  let isAdded = false;
  for (let attempt = 1; ; attempt += 1) {
    let isSent = false;
    try {
      let target = await writes.read(id);
      const linked = kinds.filter((kind) => target[kind].includes(old));
      if (linked.length === 0) return { state: isAdded ? 'done' : 'not-used' };
      if (kinds.includes('host_source_ids') && target.address !== '') {
        const reason = `The target has its own address (${target.address}), so it can't use host sources.`;
        return { state: 'stopped', reason, left: isAdded ? 'both' : 'old' };
      }
      isSent = true;
      const missing = linked.filter((kind) => !target[kind].includes(replacement));
      if (missing.length > 0) {
        report({ state: 'adding' });
        target = await change(writes, target, 'add', missing, replacement);
      }
      isAdded = true;
      report({ state: 'removing' });
      await change(writes, target, 'remove', linked, old);
      return { state: 'done' };
    } catch (error) {
      if (isApiError(error, 'conflict') && attempt < attempts) continue;
      if (isApiError(error, 'not-found')) return { state: 'not-used' };
      const { title, detail } = wordsOf(error);
      // Shown here, because no form has these fields.
      const ofFields = isApiError(error) ? (error.problem?.fields ?? []).map(({ message }) => message) : [];
      const left = isSent && isUnknownOutcome(error) ? 'unknown' : isAdded ? 'both' : 'old';
      return { state: 'stopped', reason: `${title}. ${ofFields.join(' ') || detail}`, left };
    }
  }
}

function change(
  writes: TargetSourceWrites,
  target: Target,
  action: 'add' | 'remove',
  kinds: readonly SourceKind[],
  id: string,
): Promise<Target> {
  if (kinds.includes('host_source_ids')) return writes.changeHosts(target, { action, host_source_ids: [id] });
  return writes.changeCredentials(target, {
    action,
    ...Object.fromEntries(kinds.map((kind) => [kind, [id]])),
  });
}
