/** Whether a link works, told from what its ends say: idle is not stalled, and what nobody told is unknown. */
import type { Connection, Lag } from './cluster.ts';

export const linkStates = [
  'denied',
  'disconnected',
  'stalled',
  'connecting',
  'unused',
  'snapshot',
  'streaming',
  'idle',
  'unknown',
] as const;
/** From the worst to the best; unknown says nothing. */
export type LinkState = (typeof linkStates)[number];

/** Heartbeats come every 5 s: after three of them are missing, nothing is known to be alive. */
export const heartbeatIsOldMs = 16_000;
/** How long nothing may be applied while entries wait. */
export const noProgressMs = 12_000;

/** One end of a link, as it was read. */
export interface LinkEnd {
  readonly connection: Connection;
  readonly isReceivingSnapshot: boolean;
  readonly lag: Lag;
  /** The last entry of the secondary as it was some time ago, while the page was open. */
  readonly earlier?: { readonly appliedSeq: number; readonly agoMs: number } | undefined;
}

/** What one end says of a link. */
export function linkStateOf({ connection, isReceivingSnapshot, lag, earlier }: LinkEnd): LinkState {
  if (connection === 'denied' || connection === 'disconnected' || connection === 'connecting')
    return connection;
  if (lag.heartbeatAgeMs !== null && lag.heartbeatAgeMs > heartbeatIsOldMs) return 'stalled';
  if (isReceivingSnapshot) return 'snapshot';
  if (lag.heartbeatAgeMs === null || lag.entries === null) return 'unknown';
  if (lag.entries === 0) return 'idle';
  const stands =
    earlier !== undefined && earlier.agoMs >= noProgressMs && lag.appliedSeq === earlier.appliedSeq;
  return stands ? 'stalled' : 'streaming';
}

/** What both ends together say of it: the worst that either knows. */
export function worstState(states: readonly LinkState[]): LinkState {
  return linkStates.find((state) => states.includes(state)) ?? 'unknown';
}

/** The lag as both ends tell it: each number from the first that knows it. */
export function jointLag(first: Lag, second: Lag): Lag {
  return {
    entries: first.entries ?? second.entries,
    appliedSeq: first.appliedSeq ?? second.appliedSeq,
    heartbeatAgeMs: first.heartbeatAgeMs ?? second.heartbeatAgeMs,
    heartbeatMs: first.heartbeatMs ?? second.heartbeatMs,
    skewMs: first.skewMs ?? second.skewMs,
    canaryAgeMs: first.canaryAgeMs ?? second.canaryAgeMs,
  };
}
