import { expect, test } from 'vitest';
import { deleteImpacts } from './delete-impacts.ts';

const using = (...names: readonly string[]) => ({
  items: names.map((name) => ({ id: `t_${name}`, name })),
  more: false,
});
const breaks = (text: unknown) => ({ kind: 'breaks', text });
const known = (text: unknown) => ({ kind: 'worth-knowing', text });

test('names the targets that break, and counts the leases that outlive the role', () => {
  expect(deleteImpacts(2, using('db', ''))).toEqual([
    breaks('No session can be authorized on 2 targets any more: db, t_.'),
    known(
      '2 leases are not revoked: the credentials stay valid until the leases end. Revoke them first to prevent this.',
    ),
  ]);
});

test("reports what couldn't be looked up", () => {
  expect(deleteImpacts(null, null)).toEqual([
    known('Other targets may use this role: not all targets could be checked.'),
    known("You can't list this role's leases. Credentials it issued stay valid until their leases end."),
  ]);
  expect(deleteImpacts(0, using())).toEqual([known('This role has no active leases.')]);
});
