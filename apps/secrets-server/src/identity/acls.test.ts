import { expect, test } from 'vitest';
import { compileAclInParts } from '../domain/policy/acl.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
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
      generation: () => 0,
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
    generation: () => 0,
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
  // After each policy, and then after every 1,000 of their rules.
  expect(pauses).toEqual([1, 2, 3, 3, 3, 3, 3]);
  const prepared = acls.of(caller);
  expect(parsed).toEqual(names);
  await acls.prepare(caller, giveWay);
  expect(pauses.length).toBe(7);
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

test('compiles again until no policy has changed since, but not for ever', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  const text = (name: string) => `path"${name}"{}`.repeat(1_500);
  for (const name of ['a', 'b']) await policies.set('', name, text(name));
  const acls = aclsOf(policies);
  const caller = { namespace: '', policies: ['a', 'b'] };
  let changes = 3;
  const giveWay = async (): Promise<void> => {
    if (changes-- > 0) await policies.set('', 'a', text('a'));
  };
  await acls.prepare(caller, giveWay);
  expect(acls.isPrepared(caller)).toBe(true);
  await policies.set('', 'a', text('a'));
  changes = Infinity;
  await expect(acls.prepare(caller, giveWay)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
  expect(acls.isPrepared(caller)).toBe(false);
});

test('a changed policy concerns only callers of its namespace, and within writes only large ones', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  const acls = aclsOf(policies);
  const large = `path"a"{}`.repeat(1_500);
  const callers = ['', 'team/'].flatMap((namespace) =>
    ['small', 'large'].map((name) => ({ namespace, policies: [name] })),
  );
  for (const { namespace, policies: names } of callers)
    await policies.set(namespace, names[0] ?? '', names[0] === 'large' ? large : 'path "a" {}');
  const now = async (): Promise<void> => undefined;
  for (const caller of callers) await acls.prepare(caller, now);
  const compiled = callers.map((caller) => acls.of(caller));
  const arePrepared = () => callers.map((caller) => acls.isPrepared(caller));
  await policies.set('team/', 'other', 'path "a" {}');
  expect(arePrepared()).toEqual([true, true, true, false]);
  expect(callers.slice(0, 2).map((caller) => acls.of(caller))).toEqual(compiled.slice(0, 2));
  for (const caller of callers) await acls.prepare(caller, now);
  await store.store.write((tx) => policies.addInitial(tx, 'new/'));
  await store.store.write((tx) => policies.removeOfNamespace(tx, 'new/'));
  expect(arePrepared()).toEqual([true, true, true, true]);
  policies.forget('new/');
  expect(arePrepared()).toEqual([true, true, true, true]);
  await store.store.write((tx) => policies.removeOfNamespace(tx, 'team/'));
  expect(policies.get('team/', 'large')).toBeUndefined();
  policies.forget();
  expect(arePrepared()).toEqual([true, false, true, true]);
});

test('compiles the rules and patterns of large policies in slices', () => {
  const rules = parsePolicy('large', 'path "+/a" {} path "b" {}\n'.repeat(2_000)).rules;
  const patterns = Array.from({ length: 3_000 }, (_, index) => ({ ...rules[0], pattern: `+/${index}` }));
  const policy = { name: 'large', rules: [...rules, ...patterns] as Policy['rules'], symbols: 0 };
  const parts = [...compileAclInParts([{ policy, namespace: '' }])];
  expect(parts.length).toBeGreaterThanOrEqual(9);
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
