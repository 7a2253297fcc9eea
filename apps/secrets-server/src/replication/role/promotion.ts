import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@gatehouse/service-kit/clock';
import { badRequest } from '../../core/refusal.ts';
import { commonPosition } from '../../store/replication/replication-store.ts';
import type { PathsFilter, Position, ReplicationStore } from '../../store/replication/replication-store.ts';
import { heartbeatDefaultMs } from '../link/limits.ts';
import type { Patience } from '../link/patience.ts';
import { ping } from '../link/ping.ts';
import type { FollowState, PingAnswer, SecondaryRecord } from '../link/types.ts';
import type { Runtime } from '../running/runtime.ts';
import { nameOf } from '../running/secondaries.ts';
import type { Secondaries } from '../running/secondaries.ts';
import type { SecondaryRole } from './role.ts';

export interface PromotionParts {
  readonly runtime: Pick<Runtime, 'serving' | 'following'>;
  readonly store: Pick<ReplicationStore, 'position' | 'whole' | 'lastEntryTime'>;
  readonly secondaries: Pick<Secondaries, 'list'>;
  readonly clock: Clock;
  /** The time limits for a primary's answer. */
  readonly patience: () => Patience;
}

/** How long ago a secondary's last heartbeat may be for it to count as up to date, in milliseconds. */
const lateMs = 4 * heartbeatDefaultMs;

/**
 * How long a primary's port may be closed before it counts as gone, in milliseconds. A demoted primary that becomes the
 * primary again closes it briefly, and this cluster may not know of the demotion yet.
 */
const reopenMs = 3000;
/** The pause between attempts within that time, in milliseconds. */
const againMs = 100;

/**
 * Refuses a promotion that could lose writes or create a second primary. Returns warnings about what could not be
 * checked.
 * @throws Refusal 400 with the reason and what to do first
 */
export async function checkPromotion(
  role: SecondaryRole,
  { runtime, store, secondaries, clock, patience }: PromotionParts,
): Promise<readonly string[]> {
  const { demoted, credentials, heard } = role;
  refuseIncomplete(role, store);
  if (demoted !== undefined) {
    // A demoted primary that follows no other yet. If two clusters are promoted at the same moment, each announces its
    // promotion before it checks the other, so that at least one of them notices.
    runtime.serving?.announce(true);
    try {
      refuseSuccessor(secondaries.list(), runtime.serving?.secondaries() ?? [], store);
    } catch (error) {
      runtime.serving?.announce(false);
      throw error;
    }
    return [];
  }
  if (credentials === undefined) throw unsafe('it follows no primary, so missing writes are unknown');
  const wait = patience();
  const until = performance.now() + reopenMs;
  let { answer, deniedAt } = await ping(credentials, credentials.addresses, wait);
  while (answer === undefined && deniedAt === undefined && performance.now() < until) {
    await sleep(againMs);
    ({ answer, deniedAt } = await ping(credentials, credentials.addresses, wait));
  }
  if (answer !== undefined) {
    refuseByAnswer(answer, store.position());
    return [];
  }
  if (deniedAt !== undefined)
    throw unsafe(
      `the primary at ${deniedAt} is running and refuses this cluster, and two primaries may lose data. Check there whether it was demoted`,
    );
  refuseByStream(runtime.following?.state());
  const { seq } = store.position();
  if (heard === undefined)
    throw unsafe("its primary doesn't respond and never has, so missing writes are unknown");
  if (heard.seq > seq)
    throw unsafe(
      `its primary doesn't respond, and ${count(heard.seq - seq)} that it last reported ${heard.seq - seq === 1 ? 'is' : 'are'} missing here`,
    );
  return [
    `The primary doesn't respond. Everything it last reported is here, but that was ${ageOf(clock.now() - heard.time)} ago. Anything written after that is lost unless it is recovered.`,
  ];
}

/**
 * Asks a primary that answered `checkPromotion` again, after this cluster has stopped following. A primary that is
 * being promoted at the same moment answers as the primary, closes its port, or notes that this cluster may be the
 * primary.
 * @throws Refusal 400 with the reason and the advice to retry
 */
export async function confirmPromotion(
  { credentials }: SecondaryRole,
  { store, patience }: Pick<PromotionParts, 'store' | 'patience'>,
): Promise<void> {
  if (credentials === undefined) return;
  const { answer } = await ping(credentials, credentials.addresses, patience(), { promoting: true });
  if (answer?.standing !== 'demoted')
    throw unsafe(
      'its former primary is the primary again or is being promoted, or has agreed to the promotion of another secondary. If none of them is the primary, try again',
    );
  refuseByAnswer(answer, store.position());
}

/** @throws Refusal 400 if the cluster lacks records of its primary */
export function refuseIncomplete({ filter }: SecondaryRole, store: Pick<ReplicationStore, 'whole'>): void {
  if (!store.whole())
    throw unsafe('a snapshot is incomplete, so this cluster has a mixture of old and new records');
  if (excludesAny(filter))
    throw unsafe(
      'a paths filter excludes some mounts and namespaces from this cluster, or did until a moment ago. Delete it at the primary, and wait until this cluster has received them',
    );
}

/** Whether a filter can exclude anything. */
export function excludesAny(filter: PathsFilter | undefined): boolean {
  return filter !== undefined && (filter.mode === 'allow' || filter.paths.length > 0);
}

/** Refuses if an answering primary accepts writes or has entries that this cluster lacks. */
function refuseByAnswer({ address, standing, position: theirs }: PingAnswer, own: Position): void {
  if (standing === 'primary') throw twoPrimaries(address);
  const common = commonPosition(theirs, own);
  if (common === undefined || common.diverged)
    throw unsafe(`this cluster isn't a copy of the demoted primary at ${address} yet. Wait until it is`);
  const missing = theirs.seq - common.seq;
  if (missing > 0)
    throw unsafe(
      `${count(missing)} of the demoted primary at ${address} ${missing === 1 ? 'is' : 'are'} missing here. Wait until they arrive`,
    );
}

/** Refuses while the connection lasts, because a busy primary may not answer a ping in time. */
function refuseByStream(state: FollowState | undefined): void {
  if (state?.connection !== 'ready') return;
  const { address = '', primaryStanding, lagEntries } = state;
  if (primaryStanding !== 'demoted') throw twoPrimaries(address);
  if (lagEntries !== 0)
    throw unsafe(`not all writes of the demoted primary at ${address} are here yet. Wait until they arrive`);
}

/** Refuses if a disconnected secondary may have all writes and may have been promoted. */
function refuseSuccessor(
  known: readonly SecondaryRecord[],
  connected: readonly SecondaryRecord[],
  store: Pick<ReplicationStore, 'position' | 'lastEntryTime'>,
): void {
  const { seq } = store.position();
  const lastEntry = store.lastEntryTime() ?? 0;
  const mayHaveAll = ({ clusterId, appliedSeq, lastHeartbeat }: SecondaryRecord): boolean =>
    clusterId !== undefined && ((appliedSeq ?? seq) >= seq || (lastHeartbeat ?? 0) + lateMs >= lastEntry);
  const gone = known.find((each) => mayHaveAll(each) && !connected.some(({ id }) => id === each.id));
  if (gone !== undefined)
    throw unsafe(
      `its secondary ${nameOf(gone)} is disconnected and may have been promoted, or is being promoted at the same moment, and two primaries may lose data. If neither cluster is the primary, try again once it is connected`,
    );
}

function twoPrimaries(address: string): Error {
  return unsafe(`the primary at ${address} is running, and two primaries may lose data. Demote it first`);
}

function unsafe(why: string): Error {
  return badRequest(`this secondary is not promoted: ${why}. Set "force" to promote it anyway.`);
}

function count(entries: number): string {
  return entries === 1 ? '1 write' : `${entries} writes`;
}

/** Describes an age. @param ms milliseconds */
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
