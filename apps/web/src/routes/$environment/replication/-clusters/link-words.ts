/** Words for links and lags. */
import type { Tone } from '@gatehouse/ui/tone';
import { counted } from '#lib/counted.ts';
import type { Cluster, Lag, PathsFilter, UnreadCluster } from './cluster.ts';
import type { LinkState } from './link-state.ts';
import type { Outsider } from './topology.ts';

interface StateWords {
  readonly word: string;
  readonly tone: Tone | 'neutral';
  /** Its meaning, and what to do. */
  readonly about: string;
}

export const stateWords: Readonly<Record<LinkState, StateWords>> = {
  idle: { word: 'Idle', tone: 'ok', about: 'The secondary has every entry, and heartbeats arrive.' },
  streaming: { word: 'Streaming', tone: 'ok', about: 'Entries are being sent.' },
  snapshot: {
    word: 'Receiving a full copy',
    tone: 'info',
    about: 'Until the copy is complete, the records on the secondary are a mixture of old and new.',
  },
  connecting: { word: 'Connecting', tone: 'info', about: 'The secondary is connecting to its primary.' },
  unused: {
    word: 'Not connected yet',
    tone: 'neutral',
    about: "The activation token hasn't been used yet.",
  },
  stalled: {
    word: 'Stalled',
    tone: 'danger',
    about:
      'Entries are waiting but none is applied, or heartbeats have stopped. Check the network between the two clusters.',
  },
  disconnected: {
    word: 'Disconnected',
    tone: 'danger',
    about: 'The secondary continues where it stopped when it can reach its primary again.',
  },
  denied: {
    word: 'Refused',
    tone: 'danger',
    about:
      "The primary refuses this secondary because it was revoked. Activate the secondary again with a new token. Its data doesn't have to be wiped.",
  },
  unknown: {
    word: 'Unknown',
    tone: 'neutral',
    about:
      'Neither cluster reports the state of this link. Connect to their secrets servers, or write a canary.',
  },
};

/** `12 entries`; `unknown` for null. */
export function entriesWords(entries: number | null): string {
  return entries === null ? 'unknown' : counted(entries, 'entry', 'entries');
}

/** `1.2 s`, `3 min`; `unknown` for null. */
export function timeWords(ms: number | null): string {
  if (ms === null) return 'unknown';
  if (Math.abs(ms) < 1000) return `${(Math.round(ms) || 0).toLocaleString('en')} ms`;
  if (Math.abs(ms) < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (Math.abs(ms) < 3_600_000) return `${Math.round(ms / 60_000).toLocaleString('en')} min`;
  return `${Math.round(ms / 3_600_000).toLocaleString('en')} h`;
}

/** `4 ms ahead`: the secondary's clock relative to its primary's; `unknown` for null. */
export function skewWords(ms: number | null): string {
  if (ms === null) return 'unknown';
  const length = timeWords(Math.abs(ms));
  return Math.round(ms) === 0 ? 'in sync' : `${length} ${ms > 0 ? 'ahead' : 'behind'}`;
}

/** The age of a secondary's newest entry while it lacks any. */
export function canaryWords(ms: number | null): string {
  return ms === 0
    ? 'newest entry received'
    : ms === null
      ? 'unknown'
      : `newest entry is ${timeWords(ms)} old`;
}

/** A secondary's lag in one line. */
export function lagWords({ entries, heartbeatAgeMs: age }: Lag): string {
  const waits = entries === null ? 'Lag unknown' : `${entriesWords(entries)} behind`;
  return `${waits} · ${age === null ? 'last heartbeat unknown' : `heartbeat ${timeWords(age)} ago`}`;
}

/** A summary of a secondary's filter. */
export function filterWords(filter: PathsFilter | null | undefined): string {
  if (filter === undefined) return 'Unknown';
  if (filter === null) return 'None: it receives everything';
  const count = counted(filter.paths.length, 'path');
  return filter.mode === 'deny' ? `All but ${count}` : `Only ${count}`;
}

/** A cluster's mode when it was last read; empty if unknown. */
export function lastWords({ last }: UnreadCluster): string {
  if (last === undefined) return '';
  if (last === null) return 'This console has never read its status.';
  switch (last.mode) {
    case 'unsupported':
      return "Its server didn't support replication when last read.";
    case 'disabled':
      return 'Replication was disabled when last read.';
    case 'primary':
    case 'secondary':
      return `It was a ${last.mode} when last read.`;
  }
}

/** A cluster's mode in a word. */
export function modeWords(cluster: Cluster | Outsider): StateWords {
  switch (cluster.mode) {
    case 'primary':
      return { word: 'Primary', tone: 'info', about: 'It accepts writes.' };
    case 'secondary':
      return cluster.standing === 'alone'
        ? {
            word: 'Secondary without a primary',
            tone: 'warn',
            about: 'It accepts no writes and receives none.',
          }
        : {
            word: 'Secondary',
            tone: 'neutral',
            about:
              cluster.connection === 'denied'
                ? 'It serves reads. Writes fail until its primary accepts it again, with a new activation token.'
                : cluster.connection === 'disconnected'
                  ? 'It serves reads. Writes fail until it reaches its primary.'
                  : 'It serves reads and forwards writes.',
          };
    case 'disabled':
      return { word: 'Replication disabled', tone: 'neutral', about: "It isn't replicating." };
    case 'unsupported':
      return { word: 'No replication', tone: 'neutral', about: "Its server can't replicate." };
    case 'unread':
      return { word: 'Unknown', tone: 'warn', about: [lastWords(cluster), cluster.why].join(' ').trim() };
    case 'outside':
      return {
        word: cluster.role === 'primary' ? 'Primary' : 'Secondary',
        tone: 'neutral',
        about:
          cluster.maybe.length === 0
            ? "It isn't an environment of this console."
            : `May be ${cluster.maybe.map(({ name }) => name).join(' or ')}, which can't be read.`,
      };
  }
}
