import { badRequest } from '../core/refusal.ts';
import type { PathsFilter, ReplicationStore } from '../store/replication/replication-store.ts';
import { ping } from './link/ping.ts';
import type { PingAnswer } from './link/types.ts';
import type { SecondaryRole } from './role.ts';

/** What is looked at before a secondary is promoted. */
export interface PromotionParts {
  readonly store: ReplicationStore;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pingMs: number;
}

/**
 * Refuses a promotion that could lose writes or make a second primary, and answers what is to be known of one that could
 * not be checked.
 * @throws Refusal 400 that says why, and what to do first
 */
export async function checkPromotion(
  role: SecondaryRole,
  { store, now, pingMs }: PromotionParts,
): Promise<readonly string[]> {
  const { demoted, credentials, heard } = role;
  refuseIncomplete(role, store);
  // It was the primary itself, and has followed nobody since.
  if (demoted !== undefined) return [];
  const { seq } = store.position();
  const primary =
    credentials === undefined ? undefined : await ping(credentials, credentials.addresses, pingMs);
  if (primary !== undefined) {
    refuseByAnswer(primary, seq);
    return [];
  }
  if (heard === undefined)
    throw unsafe(
      'its primary does not answer and was never heard, so it is not known which writes are missing here',
    );
  if (heard.seq > seq)
    throw unsafe(
      `its primary does not answer, and ${count(heard.seq - seq)} that it was last heard to have ${heard.seq - seq === 1 ? 'is' : 'are'} not here`,
    );
  return [
    `The primary does not answer. Everything that it was last heard to have is here, but that was ${ageOf(now - heard.time)} ago: what it wrote after that is lost unless it is recovered.`,
  ];
}

/** @throws Refusal 400 for a cluster that does not have all records of its primary */
export function refuseIncomplete({ filter }: SecondaryRole, store: Pick<ReplicationStore, 'whole'>): void {
  if (!store.whole())
    throw unsafe(
      'a snapshot has not been received completely, so what is here is a mixture of old and new records',
    );
  if (excludesAny(filter))
    throw unsafe(
      'a paths filter keeps some mounts and namespaces from this cluster, so it does not have all records',
    );
}

/** Whether a filter may keep something from a secondary. */
export function excludesAny(filter: PathsFilter | undefined): boolean {
  return filter !== undefined && (filter.mode === 'allow' || filter.paths.length > 0);
}

function refuseByAnswer({ address, standing, seq: theirs }: PingAnswer, seq: number): void {
  if (standing === 'primary')
    throw unsafe(`the primary at ${address} is running, and two primaries may lose data: demote it first`);
  if (theirs > seq)
    throw unsafe(
      `${count(theirs - seq)} of the demoted primary at ${address} ${theirs - seq === 1 ? 'is' : 'are'} not here yet: wait until it has them`,
    );
}

function unsafe(why: string): Error {
  return badRequest(`this secondary is not promoted: ${why}. "force" promotes it all the same.`);
}

function count(entries: number): string {
  return entries === 1 ? '1 write' : `${entries} writes`;
}

/** An age in words. @param ms milliseconds */
function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [amount, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : [Math.round(seconds / 3600), 'hour'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
