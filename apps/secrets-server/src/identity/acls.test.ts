import { expect, test } from 'vitest';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { places } from '../store/places.ts';
import { openReplicatedStore } from '../testing/replicated-store.ts';
import { aclsOf } from './acls.ts';

test('compiled policies are kept until their texts exceed 8 MiB in all', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  const comment = `# ${'x'.repeat(500_000)}`;
  for (let number = 0; number < 17; number++) await policies.set('', `p${number}`, comment);
  const acls = aclsOf(policies);
  const callers = Array.from({ length: 17 }, (_, number) => ({ namespace: '', policies: [`p${number}`] }));
  const [first, second, ...others] = callers.map((caller) => () => ({
    acl: acls.of(caller),
    policy: policies.get('', caller.policies[0] ?? ''),
  }));
  const last = others.pop();
  const [used, unused] = [first?.(), second?.()];
  for (const other of others) other();
  expect(first?.().acl).toBe(used?.acl);
  expect(first?.().policy).toBe(used?.policy);
  last?.();
  // Those that haven't been used for the longest time make room.
  expect(first?.().acl).toBe(used?.acl);
  expect(first?.().policy).toBe(used?.policy);
  expect(second?.().acl).not.toBe(unused?.acl);
  expect(second?.().policy).not.toBe(unused?.policy);
});

test.each([
  ['characters', `#${'x'.repeat(128 * 1024 - 1)}`, 4],
  ['words and symbols', 'path"a"{}'.repeat(12_500), 2],
])(
  "a token's policies of too many %s are refused, and those beyond the limit not parsed",
  (_, text, most) => {
    const parsed: string[] = [];
    const acls = aclsOf({
      generation: 0,
      get: (_namespace, name) => ({
        text,
        parsed() {
          parsed.push(name);
          return parsePolicy(name, text);
        },
      }),
    });
    const names = Array.from({ length: 256 }, (_name, index) => `p${index}`);
    expect(acls.of({ namespace: '', policies: names.slice(0, most) }).root).toBe(false);
    parsed.length = 0;
    expect(() => acls.of({ namespace: '', policies: names })).toThrow("the token's policies are too large");
    expect(parsed.length).toBeLessThanOrEqual(most + 1);
    // The root policy allows everything, whatever the others are.
    expect(acls.of({ namespace: '', policies: [...names, 'root'] }).root).toBe(true);
  },
);

test('compiles large policies in slices, before requests are judged', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  const names = ['a', 'b', 'c'];
  for (const name of names) await policies.set('', name, `path"${name}"{}`.repeat(1_500));
  const parsed: string[] = [];
  const acls = aclsOf({
    generation: 0,
    get: (_namespace, name) => {
      parsed.push(name);
      return policies.get('', name);
    },
  });
  const caller = { namespace: '', policies: names };
  const pauses: number[] = [];
  const giveWay = async (): Promise<void> => {
    pauses.push(parsed.length);
  };
  await acls.prepare(caller, giveWay);
  expect(pauses).toEqual([1, 2, 3]);
  const prepared = acls.of(caller);
  expect(parsed).toEqual(names);
  await acls.prepare(caller, giveWay);
  expect(pauses.length).toBe(3);
  expect(acls.of(caller)).toBe(prepared);
});

test('compiles again if a policy changed between the slices', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  for (const name of ['a', 'b']) await policies.set('', name, `path"${name}"{}`.repeat(1_500));
  const acls = aclsOf(policies);
  const caller = { namespace: '', policies: ['a', 'b'] };
  const mayRead = (): boolean => acls.of(caller).judge({ operation: 'read', path: 'a' }).allowed;
  let pauses = 0;
  await acls.prepare(caller, async () => {
    pauses++;
    if (pauses > 1) return;
    await policies.set('', 'a', 'path "a" { capabilities = ["read"] }');
    acls.of({ namespace: '', policies: ['b'] });
  });
  expect(mayRead()).toBe(true);
});

test('a policy stored before the limits of today can be read and deleted, but not used', async () => {
  await using opened = await openReplicatedStore();
  const { policies, store, barrier } = opened;
  const text = 'path"a"{}'.repeat(100_000);
  const sealed = barrier.seal(text, places.policy('', 'old'));
  await store.write((tx) =>
    tx.run(store.build.insertInto('policy').values({ namespace: '', name: 'old', sealed }).compile()),
  );
  const acls = aclsOf(policies);
  const caller = { namespace: '', policies: ['old'] };
  expect(policies.get('', 'old')?.text).toBe(text);
  expect(() => acls.of(caller)).toThrow("the token's policies are too large");
  await policies.remove('', 'old');
  expect(policies.get('', 'old')).toBeUndefined();
  expect(acls.of(caller).capabilities('a')).toEqual(['deny']);
});
