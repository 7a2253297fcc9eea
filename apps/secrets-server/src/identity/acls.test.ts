import { expect, test } from 'vitest';
import { openReplicatedStore } from '../testing/replicated-store.ts';
import { aclsOf } from './acls.ts';

test('compiled policies are kept until their texts exceed 16 MiB in all', async () => {
  await using store = await openReplicatedStore();
  const { policies } = store;
  const comment = `# ${'x'.repeat(1_000_000)}`;
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
