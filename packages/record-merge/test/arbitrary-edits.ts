import fc from 'fast-check';
import { absent } from '../src/absent.ts';
import { list, map, opaque, record, scalar, set, statements, text } from '../src/policy.ts';
import type { FieldPolicy, RecordPolicy } from '../src/policy.ts';

/** A record and two users' edits. All three are frozen, so that a merge that changes them fails the test. */
export interface Edits {
  readonly policy: RecordPolicy;
  readonly base: object;
  readonly mine: object;
  readonly theirs: object;
}

/** Base, mine and theirs of one field. */
type Triple = readonly [unknown, unknown, unknown];

/** Keys that are data, although every object literal inherits a property of that name. */
const KEYS = ['a', '__proto__', 'constructor', 'toString', 'a/b~{c}', '1'] as const;

const VALUES: readonly unknown[] = [
  null,
  0,
  1,
  '',
  'x',
  true,
  2n ** 63n,
  2n ** 63n + 1n,
  Number.NaN,
  Object.freeze([1, Object.freeze([2])]),
  Object.freeze(Object.defineProperty(Object.create(null), '__proto__', { value: 1, enumerable: true })),
  Object.freeze({ deep: Object.freeze({ key: null }) }),
];

/** Random policies up to `depth` containers deep, with groups and undeclared fields. */
function fieldPolicy(depth: number): fc.Arbitrary<FieldPolicy> {
  const leaf = fc.constantFrom(scalar, set, text, statements, opaque);
  if (depth === 0) return leaf;
  const below = fieldPolicy(depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 2, arbitrary: recordPolicy(depth) },
    { weight: 1, arbitrary: below.map(map) },
    { weight: 1, arbitrary: fc.oneof(recordPolicy(depth), below.map(map)).map((item) => list('id', item)) },
  );
}

function recordPolicy(depth: number): fc.Arbitrary<RecordPolicy> {
  const fields = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fieldPolicy(depth - 1)), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 4,
  });
  const rest = fc.option(fieldPolicy(0), { nil: undefined });
  return fc.tuple(fields, fc.boolean(), rest).map(([entries, grouped, other]) => {
    const names = entries.map(([key]) => key);
    const groups = grouped && names.length > 1 ? [{ name: 'pair', fields: names.slice(0, 2) }] : [];
    return record(objectOf(entries), other ? { groups, rest: other } : { groups });
  });
}

/**
 * Edits of random records under random policies.
 * @param policies number of policies to draw with `seed`; each property draws its own records
 */
export function arbitraryEdits(policies: number, seed: number): fc.Arbitrary<Edits> {
  const drawn = fc.sample(recordPolicy(3), { numRuns: policies, seed });
  return fc.oneof(
    ...drawn.map((policy) =>
      fields(policy).map(([base, mine, theirs]) => Object.freeze({ policy, base, mine, theirs })),
    ),
  );
}

function triple(policy: FieldPolicy): fc.Arbitrary<Triple> {
  switch (policy.kind) {
    case 'scalar':
    case 'opaque':
      return edited(fc.constantFrom(...VALUES));
    case 'set':
      return edited(
        fc.oneof(
          {
            weight: 6,
            arbitrary: fc.array(fc.constantFrom(...KEYS, 'b', 'c'), { maxLength: 5 }).map(Object.freeze),
          },
          { weight: 1, arbitrary: fc.constantFrom(null, absent, 7) },
        ),
      );
    // Text that is no policy document merges as text.
    case 'statements':
    case 'text':
      return fc.oneof(
        { weight: 6, arbitrary: lines },
        { weight: 1, arbitrary: edited(fc.constantFrom('', '\n', null)) },
      );
    case 'record':
      return replaced(fields(policy));
    case 'map':
      return replaced(entries(KEYS.slice(0, 4), () => policy.values, 2));
    case 'list':
      return replaced(items(policy.key, policy.item));
  }
}

/** A base with an edit by neither side, one side, both equally, or both differently. */
function edited(value: fc.Arbitrary<unknown>): fc.Arbitrary<Triple> {
  return fc.tuple(fc.nat(4), value, value, value).map(([pattern, base, mine, theirs]): Triple => {
    if (pattern === 0) return [base, base, base];
    if (pattern === 1) return [base, mine, base];
    if (pattern === 2) return [base, base, theirs];
    if (pattern === 3) return [base, mine, mine];
    return [base, mine, theirs];
  });
}

/** Texts of six lines. Each side keeps, deletes or replaces some, or inserts its own lines. */
const lines: fc.Arbitrary<Triple> = fc
  .tuple(
    fc.constantFrom('\n', '\r\n'),
    fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 6, maxLength: 6 }),
  )
  .map(([newline, edits]): Triple => {
    const side = (name: string, pick: (edit: readonly [number, number]) => number) =>
      edits
        .flatMap((edit, index) => {
          const own = `${name}${index}`;
          return [[], [own], [own, `line ${index}`], [`line ${index}`, own]][pick(edit)] ?? [`line ${index}`];
        })
        .join(newline);
    return [side('', () => 9), side('mine ', (edit) => edit[0]), side('theirs ', (edit) => edit[1])];
  });

/** Containers that occasionally have a value of another kind on a side. */
function replaced(containers: fc.Arbitrary<Triple>): fc.Arbitrary<Triple> {
  const other = edited(fc.constantFrom(null, absent, 7, Object.freeze({})));
  return fc.tuple(containers, other, fc.nat(63)).map(([kept, others, which]): Triple => {
    // Seven of eight cases keep all sides; the rest replaces any of the three.
    const replacedSides = which % 8 === 0 ? which / 8 : 0;
    const side = (index: 0 | 1 | 2) => ((replacedSides >> index) & 1 ? others[index] : kept[index]);
    return [side(0), side(1), side(2)];
  });
}

function fields(policy: RecordPolicy): fc.Arbitrary<readonly [object, object, object]> {
  const names = [...new Set([...Object.keys(policy.fields), 'undeclared'])];
  return entries(
    names,
    (key) => (Object.hasOwn(policy.fields, key) ? policy.fields[key] : policy.rest) ?? scalar,
    4,
  );
}

/** Objects with these keys; about one in `keep` may be missing on some sides. */
function entries(
  keys: readonly string[],
  policyOf: (key: string) => FieldPolicy,
  keep: number,
): fc.Arbitrary<readonly [object, object, object]> {
  const entry = (key: string) => fc.tuple(fc.constant(key), triple(policyOf(key)), fc.nat(8 * keep - 1));
  return fc.tuple(...keys.map(entry)).map((drawn) => {
    const side = (index: 0 | 1 | 2) =>
      Object.freeze(
        objectOf(
          drawn
            .filter(
              ([, values, missing]) =>
                values[index] !== absent && (missing > 7 || ((missing >> index) & 1) === 0),
            )
            .map(([key, values]) => [key, values[index]] as const),
        ),
      );
    return [side(0), side(1), side(2)] as const;
  });
}

/** Lists of objects in either order, rarely with a duplicate key. */
function items(keyField: string, policy: FieldPolicy): fc.Arbitrary<Triple> {
  const values = policy.kind === 'map' ? policy.values : scalar;
  const objects = policy.kind === 'record' ? fields(policy) : entries(KEYS.slice(0, 3), () => values, 2);
  const item = fc.tuple(
    fc.constantFrom<unknown>('a', '__proto__', 1, 2n, '3', '4', '5', '6'),
    objects,
    fc.nat(15),
  );
  return fc.tuple(fc.array(item, { maxLength: 4 }), fc.nat(7)).map(([drawn, reversed]): Triple => {
    const side = (index: 0 | 1 | 2) => {
      const present = drawn
        .filter(([, , missing]) => missing > 7 || ((missing >> index) & 1) === 0)
        .map(([key, sides]) => Object.freeze(objectOf([...Object.entries(sides[index]), [keyField, key]])));
      return Object.freeze((reversed >> index) & 1 ? present.toReversed() : present);
    };
    return [side(0), side(1), side(2)];
  });
}

/** An object as made by JSON.parse, in which `__proto__` is an ordinary own property. */
function objectOf<V>(from: Iterable<readonly [string, V]>): Record<string, V> {
  return Object.fromEntries(from);
}
