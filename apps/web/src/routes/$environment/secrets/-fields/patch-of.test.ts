import {
  entriesOf,
  kindOf,
  lastByKey,
  leavesOf,
  mergePatch,
  objectText,
  sameJson,
} from '@gatehouse/api-types/console/json-text';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { patchOf } from './patch-of.ts';

const runs = process.env.GATEHOUSE_DEEP === '1' ? 2000 : 150;
const key = fc.constantFrom('a', 'b', 'a.b', '', '__proto__', '1', 'ключ');
const { object } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '2', '1.0', '"x"', '"1"', 'true', '[1,{"a":1}]', '12345678901234567890', 'null'),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map(
      (members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${String(text)}`).join(',')}}`,
    ),
}));

test('applying the patch gives the wanted data, or a reason says why none exists', () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = patchOf(before, after);
      if ('text' in patch) expect(sameJson(mergePatch(before, patch.text), after)).toBe(true);
      else {
        // A null inside a list isn't a member, so it can be set.
        const nulls = leavesOf(after).filter(({ text }) => kindOf(text) === 'null');
        expect(nulls.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs },
  );
});

/** The patch, written plainly. */
function reference(before: string, after: string): string {
  const [old, next] = [lastByKey(entriesOf(before)), lastByKey(entriesOf(after))];
  const removed = [...old.keys()]
    .filter((name) => !next.has(name))
    .map((name) => ({ key: name, text: 'null' }));
  const changed = [...next].flatMap(([name, text]) => {
    const was = old.get(name);
    if (was !== undefined && sameJson(was, text)) return [];
    if (kindOf(text) !== 'object') return [{ key: name, text }];
    return [{ key: name, text: reference(was !== undefined && kindOf(was) === 'object' ? was : '{}', text) }];
  });
  return objectText([...removed, ...changed]);
}

test('is what a plain implementation writes', () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = patchOf(before, after);
      if ('text' in patch) expect(patch.text).toBe(reference(before, after));
    }),
    { numRuns: runs },
  );
});

test('reads a deep secret once, and not again at each level', () => {
  const deep = (value: string): string => `${'{"b":1,"a":'.repeat(450)}"${value}"${'}'.repeat(450)}`;
  const read = vi.spyOn(JSON, 'parse');
  const patch = patchOf(deep('x'), deep('y'));
  const names = read.mock.calls.length;
  read.mockRestore();
  expect(patch).toEqual({ text: deep('y').replaceAll('"b":1,', '') });
  expect(names).toBeLessThan(5 * 450);
});

test('contains only changes, with every digit', () => {
  const before = '{"user":"app","port":5432,"id":12345678901234567890,"old":1,"db":{"host":"a","name":"b"}}';
  const after = '{"user":"app","port":5433,"id":12345678901234567891,"db":{"host":"a","name":"c"}}';
  expect(patchOf(before, after)).toEqual({
    text: '{"old":null,"port":5433,"id":12345678901234567891,"db":{"name":"c"}}',
  });
  expect(patchOf(before, before)).toEqual({ text: '{}' });
});

test("a patch can't set null", () => {
  expect(patchOf('{"a":{"b":1}}', '{"a":{"b":null}}')).toEqual({
    reason: 'a.b is null, which a patch would treat as "remove". Replace all fields instead.',
  });
});
