import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownLag, type Lag } from './cluster.ts';
import {
  heartbeatIsOldMs,
  jointLag,
  linkStateOf,
  linkStates,
  noProgressMs,
  worstState,
  type LinkEnd,
} from './link-state.ts';
import { caughtUp } from './sample-clusters.ts';

const end = (more: Partial<LinkEnd> = {}): LinkEnd => ({
  connection: 'ready',
  isReceivingSnapshot: false,
  lag: caughtUp,
  ...more,
});
const waiting: Lag = { ...caughtUp, entries: 3 };

test('is idle only when connected, with no entries waiting and a recent heartbeat', () => {
  expect(linkStateOf(end())).toBe('idle');
  expect(linkStateOf(end({ lag: { ...caughtUp, heartbeatAgeMs: heartbeatIsOldMs + 1 } }))).toBe('stalled');
  expect(linkStateOf(end({ lag: { ...caughtUp, heartbeatAgeMs: null } }))).toBe('unknown');
  expect(linkStateOf(end({ lag: { ...caughtUp, entries: null } }))).toBe('unknown');
});

test('streams while entries wait, and stalls after a while without progress', () => {
  expect(linkStateOf(end({ lag: waiting }))).toBe('streaming');
  const stands = { appliedSeq: 10, agoMs: noProgressMs };
  expect(linkStateOf(end({ lag: waiting, earlier: stands }))).toBe('stalled');
  expect(linkStateOf(end({ lag: waiting, earlier: { ...stands, agoMs: noProgressMs - 1 } }))).toBe(
    'streaming',
  );
  expect(linkStateOf(end({ lag: waiting, earlier: { ...stands, appliedSeq: 9 } }))).toBe('streaming');
});

test('shows a snapshot being received without a count of entries', () => {
  const lag = { ...unknownLag, heartbeatAgeMs: 100 };
  expect(linkStateOf(end({ isReceivingSnapshot: true, lag }))).toBe('snapshot');
});

const anyNumber = fc.option(fc.nat(60_000));
const anyLag: fc.Arbitrary<Lag> = fc.record({
  entries: anyNumber,
  appliedSeq: anyNumber,
  heartbeatAgeMs: anyNumber,
  heartbeatMs: anyNumber,
  skewMs: anyNumber,
  canaryAgeMs: anyNumber,
});
const anyEnd: fc.Arbitrary<LinkEnd> = fc.record({
  connection: fc.constantFrom('ready', 'connecting', 'disconnected', 'denied', 'unknown'),
  isReceivingSnapshot: fc.boolean(),
  lag: anyLag,
  earlier: fc.option(fc.record({ appliedSeq: fc.nat(60_000), agoMs: fc.nat(60_000) }), { nil: undefined }),
});

test('never reads a missing value as healthy', () => {
  fc.assert(
    fc.property(anyEnd, (given) => {
      const state = linkStateOf(given);
      const { heartbeatAgeMs, entries } = given.lag;
      if (state !== 'idle' && state !== 'streaming') return;
      expect(heartbeatAgeMs).not.toBeNull();
      expect(heartbeatAgeMs).toBeLessThanOrEqual(heartbeatIsOldMs);
      expect(entries).not.toBeNull();
      expect(entries === 0).toBe(state === 'idle');
    }),
  );
});

test('combines two ends into the worst state, with each number from the end that has it', () => {
  fc.assert(
    fc.property(anyEnd, anyEnd, (first, second) => {
      const both = [linkStateOf(first), linkStateOf(second)];
      const worst = worstState(both);
      expect(both).toContain(worst);
      for (const state of both)
        expect(linkStates.indexOf(worst)).toBeLessThanOrEqual(linkStates.indexOf(state));
      const lag = jointLag(first.lag, second.lag);
      expect(lag.entries === null).toBe(first.lag.entries === null && second.lag.entries === null);
    }),
  );
  expect(worstState([])).toBe('unknown');
});
