import type { Plugin, PluginMount } from '@gatehouse/api-types/console/plugins';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { backSteps, runSteps, upgradeSteps, type StepState, type Upgrade } from './upgrade-steps.ts';

const mount = (path: string, more: Partial<PluginMount> = {}): PluginMount => ({
  path,
  type: 'secret',
  plugin: 'mine',
  description: '',
  configured_version: 'v1.0.0',
  running_version: 'v1.0.0',
  running_sha256: '',
  ...more,
});
const [old, next] = ['a'.repeat(64), 'b'.repeat(64)];
const from = { id: 'secret/mine@v1.0.0', type: 'secret', name: 'mine', version: 'v1.0.0' } as const;
const upgrade: Upgrade = {
  from,
  version: 'v1.1.0',
  sha256: next,
  register: {
    type: 'secret',
    name: 'mine',
    version: 'v1.1.0',
    sha256: next,
    command: 'mine-1.1',
    args: [],
    oci_image: '',
    runtime: '',
  },
  by: 'tune',
  mounts: [mount('one'), mount('two', { configured_version: '' })],
  pinned: '',
};

/** A server that records calls, and fails the given one once. */
function server({ failing = '', runs = { running_version: 'v1.1.0', running_sha256: next } } = {}) {
  const calls: string[] = [];
  let isFailing = true;
  const did = (what: string): Promise<never> | Promise<undefined> => {
    calls.push(what);
    if (what !== failing || !isFailing) return Promise.resolve(undefined);
    isFailing = false;
    return Promise.reject(new ApiError('service-timeout'));
  };
  const writes: Parameters<typeof upgradeSteps>[1] = {
    register: async ({ version }) => {
      await did(`register ${version}`);
      return {} as Plugin;
    },
    pin: (plugin, before) => did(`pin ${plugin} over ${before || 'none'}`),
    unpin: (plugin, before) => did(`unpin ${plugin} over ${before}`),
    reload: (plugin, paths = []) => did(`reload ${plugin} on ${paths.join()}`),
    tune: async (path, version, before) => {
      await did(`tune ${path} to ${version || 'none'} over ${before || 'none'}`);
      return mount(path);
    },
    read: async () => {
      await did('read');
      return {
        items: [],
        mounts: upgrade.mounts.map((item) => ({ ...item, ...runs })),
        pins: null,
        may: null,
      };
    },
  };
  return { calls, writes };
}

async function run(steps: ReturnType<typeof upgradeSteps>, states = new Map<string, StepState>()) {
  const isWhole = await runSteps(
    steps,
    (id) => states.get(id)?.state === 'done',
    (id, state) => states.set(id, state),
  );
  return { isWhole, states };
}

test('registers, sets each mount, reloads and verifies, in this order', async () => {
  const { calls, writes } = server();
  expect((await run(upgradeSteps(upgrade, writes))).isWhole).toBe(true);
  expect(calls).toEqual([
    'register v1.1.0',
    'tune one to v1.1.0 over v1.0.0',
    'tune two to v1.1.0 over none',
    'reload secret/mine@v1.1.0 on one,two',
    'read',
  ]);
});

test('stops at the first failure, resumes there, and repeats no step', async () => {
  const { calls, writes } = server({ failing: 'tune two to v1.1.0 over none' });
  const steps = upgradeSteps(upgrade, writes);
  const { isWhole, states } = await run(steps);
  expect(isWhole).toBe(false);
  expect(calls.at(-1)).toBe('tune two to v1.1.0 over none');
  expect(states.get('tune two')).toMatchObject({ state: 'failed' });
  calls.length = 0;
  expect((await run(steps, states)).isWhole).toBe(true);
  expect(calls).toEqual(['tune two to v1.1.0 over none', 'reload secret/mine@v1.1.0 on one,two', 'read']);
});

test('an existing registration counts as done if it is the same', async () => {
  for (const [sha256, isWhole] of [
    [next, true],
    [old, false],
  ] as const) {
    const current = {
      ...upgrade.register,
      id: 'secret/mine@v1.1.0',
      sha256,
      builtin: false,
      declarative: false,
      deprecation_status: '',
      revision: '1',
      state: 'runs',
      state_reason: '',
      file: null,
      mounts: null,
      pinned_version: null,
      may: null,
    };
    const conflict = {
      resource: { environment: 'local', service: 'secrets', kind: 'plugin', id: 'secret/mine@v1.1.0' },
      reason: 'created',
      expectedRevision: null,
      base: null,
      current,
      currentRevision: '1',
      changedAt: null,
      changedBy: null,
    } as const;
    const problem = {
      type: 'about:blank',
      title: '',
      status: 409,
      code: 'conflict',
      detail: '',
      requestId: '',
      conflict,
    } as const;
    const register = (): Promise<never> => Promise.reject(new ApiError('conflict', problem));
    const steps = upgradeSteps(upgrade, { ...server().writes, register });
    expect((await run(steps)).isWhole).toBe(isWhole);
  }
});

test('undoes the begun steps in reverse order', async () => {
  const { calls, writes } = server();
  const begun = new Set(['register', 'tune one', 'tune two', 'reload']);
  await run(backSteps(upgrade, begun, writes));
  expect(calls).toEqual([
    'tune two to none over v1.1.0',
    'tune one to v1.0.0 over v1.1.0',
    'reload secret/mine@v1.0.0 on one,two',
  ]);
  expect(backSteps(upgrade, new Set(['register']), writes)).toEqual([]);
  // An empty version would select the newest, which is being undone.
  const builtin = mount('three', { configured_version: '', running_version: 'v0.1.0+builtin.x' });
  calls.length = 0;
  await run(backSteps({ ...upgrade, mounts: [builtin] }, new Set(['tune three']), writes));
  expect(calls).toEqual(['tune three to v0.1.0+builtin.x over v1.1.0']);
  calls.length = 0;
  await run(backSteps({ ...upgrade, by: 'pin', pinned: 'v1.0.0' }, new Set(['pin']), writes));
  await run(backSteps({ ...upgrade, by: 'pin' }, new Set(['pin']), writes));
  expect(calls).toEqual(['pin secret/mine@v1.0.0 over v1.1.0', 'unpin secret/mine@v1.1.0 over v1.1.0']);
});

test('a mount that runs another version fails the verification', async () => {
  for (const [runs, reason] of [
    [
      { running_version: 'v1.0.0', running_sha256: '' },
      'one runs v1.0.0; two runs v1.0.0. Expected: v1.1.0.',
    ],
    [
      { running_version: 'v1.1.0', running_sha256: old },
      'one runs a binary with the hash aaaaaaaaaaaa…; two runs a binary with the hash aaaaaaaaaaaa…. Expected: v1.1.0.',
    ],
  ] as const) {
    const { isWhole, states } = await run(upgradeSteps(upgrade, server({ runs }).writes));
    expect(isWhole).toBe(false);
    expect(states.get('verify')).toEqual({ state: 'failed', reason });
  }
  const silent = server({ runs: { running_version: '', running_sha256: '' } });
  expect((await run(upgradeSteps(upgrade, silent.writes))).states.get('verify')).toEqual({
    state: 'done',
    note: "The server doesn't report the running version",
  });
});
