/** A link's state from what its ends report. Idle isn't stalled, and unreported values make it unknown. */
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
/** From worst to best; unknown carries no information. */
export type LinkState = (typeof linkStates)[number];

/** Heartbeats come every 5 s. After three missed ones, the link counts as stalled. */
export const heartbeatIsOldMs = 16_000;
/** How long entries may wait without progress, in ms. */
export const noProgressMs = 12_000;

/** One end of a link, as read. */
export interface LinkEnd {
  readonly connection: Connection;
  readonly isReceivingSnapshot: boolean;
  readonly lag: Lag;
  /** The secondary's last entry earlier, since the page is open. */
  readonly earlier?: { readonly appliedSeq: number; readonly agoMs: number } | undefined;
}

/** The state that one end reports. */
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

/** The joint state of both ends: the worse of the two. */
export function worstState(states: readonly LinkState[]): LinkState {
  return linkStates.find((state) => states.includes(state)) ?? 'unknown';
}

/** The joint lag of both ends: each number from the first end that reports it. */
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
