import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget, BudgetSpent } from './budget.ts';
import { matchesFilter } from './evaluate.ts';
import { explainFilter } from './explain.ts';
import { parseFilter } from './parse.ts';
import { compilePattern, largestProgram } from './pattern.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';

/** `any` nested to the given depth, with an innermost clause that never holds. */
function nested(levels: number): string {
  const outer = Array.from({ length: levels }, (_, level) => `any "/item" as x${level} { `);
  return `${outer.join('')}x0 == "zz"${' }'.repeat(levels)}`;
}

/** Counts the steps of evaluations. */
class CountedBudget extends Budget {
  spent = 0;

  override spend(steps: number): void {
    this.spent += steps;
    super.spend(steps);
  }
}

function stepsOf(filter: string, value: unknown): number {
  const budget = new CountedBudget();
  matchesFilter(parseFilter(filter), { item: { value } }, budget);
  return budget.spent;
}

/** A map with the given number of members. */
function item(members: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from({ length: members }, (_, index) => [`key${index}`, 'value']));
}

describe('limits of an expression', () => {
  test('refuses any and all nested more than three deep, but allows them side by side', () => {
    expect(() => parseFilter(nested(4))).toThrow('at character 61: any and all can be nested at most 3');
    expect(parseFilter(nested(3))).toMatchObject({ kind: 'any' });
    const beside = Array.from({ length: 8 }, () => `(${nested(3)})`).join(' and ');
    expect(parseFilter(beside)).toMatchObject({ kind: 'and' });
  });

  test('refuses more than 200 clauses', () => {
    const clauses = (count: number): string => Array.from({ length: count }, () => 'a == b').join(' and ');
    expect(parseFilter(clauses(200))).toMatchObject({ kind: 'and' });
    expect(() => parseFilter(clauses(201))).toThrow('at most 200 clauses');
  });

  test('refuses patterns that would compile to too many instructions in total', () => {
    const filter = (pattern: string): string => `"/item/description" matches \`${pattern}\``;
    expect(() => parseFilter(filter('[xz]{0,1000}'.repeat(100)))).toThrow('too large in total');
    // The class ends where the engine ends it, and an empty quote can't be repeated.
    expect(() => parseFilter(filter(`[A-[:b:]${'x{1000}'.repeat(20)}]`))).toThrow('too large in total');
    for (const range of [String.raw`\x41-\x42`, String.raw`\x{41}-\x{42}`, String.raw`\101-\102`]) {
      const refused = filter(`[${range}-[:alpha:][]${'x{1000}'.repeat(20)}]`);
      expect(() => parseFilter(refused)).toThrow('too large in total');
    }
    expect(() => parseFilter(filter(String.raw`[xz]{100}\Q\E{10}`.repeat(20)))).toThrow('too large in total');
    const nestedGroups = (groups: number): string =>
      filter(String.raw`${'(?:'.repeat(groups)}\pL${')'.repeat(groups)}`);
    expect(parseFilter(nestedGroups(100))).toMatchObject({ kind: 'compare' });
    expect(() => parseFilter(nestedGroups(101))).toThrow('too large in total');
    const one = filter('[xz]{0,1000}');
    expect(parseFilter(Array.from({ length: 3 }, () => one).join(' or '))).toMatchObject({ kind: 'or' });
    expect(() => parseFilter(Array.from({ length: 5 }, () => one).join(' or '))).toThrow('too large');
  });

  test('refuses classes that would take too long to compile in total', () => {
    const filter = (pattern: string): string => `"/item/description" matches \`${pattern}\``;
    const refused = 'too many classes';
    for (const wide of [String.raw`[\x{42}-\x{1E942}]`, '[B-\u{1E942}]', '[^--\u{1E942}]']) {
      expect(parseFilter(filter(`(?i)${wide.repeat(2)}`))).toMatchObject({ kind: 'compare' });
      expect(() => parseFilter(filter(`(?i)${wide.repeat(3)}`))).toThrow(refused);
      expect(() => parseFilter(filter(`a(?s-m:b)(?mi:${wide.repeat(3)})`))).toThrow(refused);
      // Unless case is ignored, a range costs no more than a character.
      expect(parseFilter(filter(wide.repeat(200)))).toMatchObject({ kind: 'compare' });
    }
    expect(() => parseFilter(filter(String.raw`\PL|`.repeat(51)))).toThrow(refused);
    const some = filter(String.raw`[\pL\p{Greek}]{1,9}`.repeat(12));
    expect(parseFilter(Array.from({ length: 2 }, () => some).join(' or '))).toMatchObject({ kind: 'or' });
    expect(() => parseFilter(Array.from({ length: 3 }, () => some).join(' or '))).toThrow(refused);
  });

  test('parses a literal once into every type that it may be compared with', () => {
    expect(parseFilter('a == "0022.50"')).toMatchObject({ value: '0022.50', number: 22.5, truth: undefined });
    expect(parseFilter('1 in a')).toMatchObject({ value: '1', number: 1, truth: true });
    expect(parseFilter('a != False')).toMatchObject({ value: 'False', number: undefined, truth: false });
    expect(parseFilter(`a == ${'9'.repeat(3900)}`)).toMatchObject({ number: Infinity });
  });

  test('accepts realistic patterns', () => {
    for (const pattern of [
      '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
      '^([a-z0-9-]{1,63}\\.){1,5}[a-z]{2,63}$',
      '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})\\.){3}\\d{1,3}$',
      '(?i)^prod-.*-(eu|us)-\\d{1,3}$',
      '(?i)^[а-яё]{2,40}(-[а-яё]{2,40}){0,5}([α-ω]|[а-я]|[ぁ-ん])[а-я][а-я]$',
      '[[:alpha:]]{3,20}\\x{00E9}\\pL+\\Q{1000}\\E',
    ])
      expect(parseFilter(`"/a" matches \`${pattern}\``)).toMatchObject({ kind: 'compare' });
  });

  test("never underestimates a pattern's size", () => {
    const atoms = String.raw`a . \d [a-z] [^]x] [](] [[:alpha:]\]] \pL \p{Greek} \x{1F600} ^ $ \b | \Q(\E \Qa{9} \Q\E é 😀
      (?i) (?: ( (?P<n> ) { } ] \{ * + ? *? {3} {0,7} {2,} {0} {1,40}? {,5} {1000} (a{9}b){0,9}`;
    const ofClasses = String.raw`[ [^ ] - : [:alpha:] [:b:] \d \pL \p{L} \x41 \x{42} \102 \60 \] \\ \- A z + é b{9}
      \x41-\x42 \x{41}-\x{42} \101-\102`;
    const atom = fc.constantFrom(...atoms.split(/\s+/));
    const ofClass = fc.constantFrom(...ofClasses.split(/\s+/));
    const pattern = fc.oneof(
      fc.array(atom, { maxLength: 14 }).map((parts) => parts.join('')),
      fc.array(ofClass, { maxLength: 10 }).map((parts) => `[${parts.join('')}]x{9}x{9}]`),
    );
    let compiled = 0;
    fc.assert(
      fc.property(pattern, (source) => {
        const largest = largestProgram(source);
        fc.pre(largest <= 20_000);
        let size;
        try {
          ({ size } = compilePattern(source));
        } catch {
          return;
        }
        compiled++;
        expect(size).toBeLessThanOrEqual(largest);
      }),
      { numRuns: deep ? 200_000 : 3000 },
    );
    expect(compiled).toBeGreaterThan(500);
  });
});

describe('limits of an evaluation', () => {
  test('limits the steps of one item', () => {
    expect(matchesFilter(parseFilter(nested(3)), { item: item(40) })).toBe(false);
    expect(() => matchesFilter(parseFilter(nested(3)), { item: item(100) })).toThrow(BudgetSpent);
    const pattern = parseFilter('"/item/text" matches "[xz]{0,400}y"');
    expect(matchesFilter(pattern, { item: { text: 'x'.repeat(2000) } })).toBe(false);
    expect(() => matchesFilter(pattern, { item: { text: 'x'.repeat(4000) } })).toThrow(BudgetSpent);
  });

  test.each([
    ['the elements of a list', 'x in "/item/value"', Array.from({ length: 800 }, () => ({})), 800],
    ['the keys of a map that may be empty', '"/item/value" is not empty', item(800), 800],
    ['the keys of a map, one of which decides', 'any "/item/value" as x { x != y }', item(800), 800],
    ['the segments of a path', `"/item/value${'/a'.repeat(800)}" == b`, { a: 1 }, 200],
    ['the digits of a position', `"/item/value/${'0'.repeat(1600)}" == b`, ['b'], 50],
    [
      'characters that a text is looked for in, where all begin as it does',
      `${'x'.repeat(1000)}y in "/item/value"`,
      'x'.repeat(2000),
      7500,
    ],
    ['the instructions of a pattern, though the text is empty', '"/item/value" matches "a{800}"', '', 100],
  ])('charges for %s', (_what, filter, value, steps) => {
    expect(stepsOf(filter, value)).toBeGreaterThanOrEqual(steps);
    expect(stepsOf(filter, value)).toBeLessThan(steps * 1.5);
  });

  test('reads no element of a list after the one that decides', () => {
    const list = ['a', 'b', 'c'];
    Object.defineProperty(list, 2, {
      get: () => {
        throw new Error('the third is read');
      },
    });
    expect(matchesFilter(parseFilter('any l as x { x == b }'), { l: list })).toBe(true);
    expect(matchesFilter(parseFilter('all l as x { x == a }'), { l: list })).toBe(false);
  });

  test('shares a budget between all items', () => {
    const budget = new Budget(1000);
    const filter = parseFilter('"/item/key1" == value and "/item/key2" matches "^v.{1,20}e$"');
    let judged = 0;
    expect(() => {
      for (; judged < 1000; judged++) matchesFilter(filter, { item: item(3) }, budget);
    }).toThrow(BudgetSpent);
    expect(judged).toBeGreaterThan(10);
    expect(judged).toBeLessThan(200);
  });

  test('refuses an explanation that is too long to show', () => {
    expect(() => explainFilter(parseFilter(nested(3)), { item: item(40) })).toThrow(BudgetSpent);
    expect(explainFilter(parseFilter(nested(2)), { item: item(40) }).parts).toHaveLength(40);
  });
});
