import type { Target } from '@gatehouse/api-types/console/targets';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import type { TargetSourceWrites } from '#queries/target-sources.ts';
import { retireAt, type Retirement } from './retire-source.ts';

const task = { old: 'old', replacement: 'new', kinds: ['host_source_ids'] as const };

/** A target in memory that records its changes. */
function memory(address: string, sources: readonly string[], failures: readonly unknown[] = []) {
  const log: string[] = [];
  const waiting = [...failures];
  let ids = [...sources];
  const state = () => ({ id: 't', revision: '1', address, host_source_ids: ids }) as Target;
  const writes: TargetSourceWrites = {
    read: () => Promise.resolve(state()),
    setAddress: () => Promise.reject(new Error('not asked for')),
    changeHosts: (_, { action, host_source_ids: [id = ''] }) => {
      const failure = waiting.shift();
      if (failure !== undefined) return Promise.reject(failure);
      log.push(`${action} ${id}`);
      ids = action === 'add' ? [...ids, id] : ids.filter((other) => other !== id);
      return Promise.resolve(state());
    },
    changeCredentials: () => Promise.reject(new Error('not asked for')),
  };
  return { writes, log };
}

const ignore = (): void => undefined;

test('adds the replacement before removing the old source', async () => {
  const { writes, log } = memory('', ['old']);
  const states: Retirement['state'][] = [];
  const end = await retireAt(writes, 't', task, ({ state }) => states.push(state));
  expect(end).toEqual({ state: 'done' });
  expect(log).toEqual(['add new', 'remove old']);
  expect(states).toEqual(['adding', 'removing']);
});

test('only removes the old source if the replacement is already there', async () => {
  const { writes, log } = memory('', ['new', 'old']);
  expect(await retireAt(writes, 't', task, ignore)).toEqual({ state: 'done' });
  expect(log).toEqual(['remove old']);
});

test('stops without changes if an address forbids sources', async () => {
  const { writes, log } = memory('10.0.0.1', ['old']);
  expect(await retireAt(writes, 't', task, ignore)).toMatchObject({ state: 'stopped', left: 'old' });
  expect(log).toEqual([]);
});

test('reports what is left when it stops, or that it is unknown', async () => {
  for (const [failures, left, done] of [
    [[new ApiError('forbidden')], 'old', []],
    [[new ApiError('unreachable')], 'unknown', []],
    [[undefined, new ApiError('forbidden')], 'both', ['add new']],
    [[undefined, new ApiError('outcome-unknown')], 'unknown', ['add new']],
  ] as const) {
    const { writes, log } = memory('', ['old'], failures);
    expect(await retireAt(writes, 't', task, ignore)).toMatchObject({ state: 'stopped', left });
    expect(log).toEqual(done);
  }
});

test("knows that nothing was sent if the target can't be read", async () => {
  const { writes } = memory('', ['old']);
  const unread = { ...writes, read: () => Promise.reject(new ApiError('unreachable')) };
  expect(await retireAt(unread, 't', task, ignore)).toMatchObject({ state: 'stopped', left: 'old' });
});

test("retries after others' changes, and skips targets that don't use the source", async () => {
  const conflict = new ApiError('conflict', undefined);
  const { writes, log } = memory('', ['old'], [conflict]);
  expect(await retireAt(writes, 't', task, ignore)).toEqual({ state: 'done' });
  expect(log).toEqual(['add new', 'remove old']);
  const unused = memory('', ['other']);
  expect(await retireAt(unused.writes, 't', task, ignore)).toEqual({ state: 'not-used' });
});

test('reports why a target refused the replacement', async () => {
  const message = "The credential credjson_1 of type json can't be injected.";
  const refused = new ApiError('invalid-request', {
    type: 'urn:gatehouse:problem:invalid-request',
    title: 'The request is not valid',
    detail: 'The access controller refused the request as invalid.',
    status: 400,
    code: 'invalid-request',
    requestId: 'r',
    fields: [{ path: 'injected_application_credential_source_ids', message }],
  });
  const { writes } = memory('', ['old'], [refused]);
  expect(await retireAt(writes, 't', task, ignore)).toEqual({
    state: 'stopped',
    reason: expect.stringContaining(message),
    left: 'old',
  });
});
