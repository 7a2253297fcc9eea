import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesFilter } from './evaluate.ts';
import { explainFilter, type Explanation } from './explain.ts';
import { FilterSyntaxError, type Expression } from './expression.ts';
import { parseFilter } from './parse.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';

const datum = {
  name: 'w-1',
  port: 22,
  on: true,
  tags: { env: ['prod', 'eu'], team: [] },
  hosts: [{ port: 1 }, { port: 2 }, { port: 'x' }],
};
const explained = (text: string): Explanation => explainFilter(parseFilter(text), datum);

const selector = fc.constantFrom(
  '"/name"',
  '"/port"',
  '"/on"',
  '"/none"',
  '"/none/deeper"',
  '"/tags"',
  '"/tags/env"',
  '"/tags/team"',
  '"/hosts"',
  '"/hosts/1/port"',
  '"/hosts/9"',
  'x',
  '"/x/port"',
);
const value = fc.constantFrom('`w-1`', '22', 'true', 'prod', 'env', '1', '"w-"', '`^w`');
const clause = fc.oneof(
  fc
    .tuple(selector, fc.constantFrom('==', '!=', 'contains', 'not contains', 'matches', 'not matches'), value)
    .map((parts) => parts.join(' ')),
  fc.tuple(value, fc.constantFrom('in', 'not in'), selector).map((parts) => parts.join(' ')),
  fc
    .tuple(selector, fc.constantFrom('is empty', 'is not empty', 'is nil', 'is not nil'))
    .map((parts) => parts.join(' ')),
);
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    clause,
    tie('filter').map((text) => `not (${text})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map(([a, word, b]) => `(${a}) ${word} (${b})`),
    fc
      .tuple(
        fc.constantFrom('any', 'all'),
        selector,
        fc.constantFrom('x', 'i, x', '_, x', 'x, _'),
        tie('filter'),
      )
      .map(([kind, of, names, body]) => `${kind} ${of} as ${names} { ${body} }`),
  ),
}));

/** Leaves out expressions beyond the limits. */
function read(text: string): Expression {
  try {
    return parseFilter(text);
  } catch (error) {
    fc.pre(!(error instanceof FilterSyntaxError && / at most /.test(error.message)));
    throw error;
  }
}

function each(explanation: Explanation): readonly Explanation[] {
  return [explanation, ...explanation.parts.flatMap(each)];
}

function expectConsistent({ expression, outcome, parts, seen, reason, isAsked }: Explanation): void {
  const [first, second] = parts.map((part) => part.outcome);
  switch (expression.kind) {
    case 'and':
      expect(outcome).toBe(first === 'holds' ? second : first);
      break;
    case 'or':
      expect(outcome).toBe(first === 'fails' ? second : first);
      break;
    case 'not':
      expect(outcome === 'holds').toBe(first === 'fails');
      break;
    default:
      // An evaluated clause has a value; a meaningless one has a reason.
      if (outcome !== 'meaningless') expect(seen).toBeDefined();
      else if (parts.length === 0) expect(reason).not.toBe('');
  }
  if (!isAsked) expect(parts.some((part) => part.isAsked)).toBe(false);
}

test('holds at the root exactly when the filter matches, with consistent parts', () => {
  fc.assert(
    fc.property(filter, (text) => {
      const expression = read(text);
      const explanation = explainFilter(expression, datum);
      expect(explanation.outcome === 'holds').toBe(matchesFilter(expression, datum));
      for (const part of each(explanation)) expectConsistent(part);
    }),
    { numRuns: deep ? 50_000 : 1500 },
  );
});

test('marks a clause as asked exactly when the evaluation needs it', () => {
  fc.assert(
    fc.property(clause, clause, (left, right) => {
      const both = parseFilter(`(${left}) and (${right})`);
      const [first, second] = explainFilter(both, datum).parts;
      expect(first?.isAsked).toBe(true);
      expect(second?.isAsked).toBe(matchesFilter(parseFilter(left), datum));
    }),
    { numRuns: deep ? 5000 : 300 },
  );
});

test('gives each clause the text span that it was parsed from', () => {
  fc.assert(
    fc.property(filter, (text) => {
      const whole = read(text);
      const again = ({ span, ...rest }: Expression): void => {
        const own = parseFilter(text.slice(span.from, span.to));
        if ('left' in rest) {
          again(rest.left);
          again(rest.right);
        } else if ('operand' in rest) again(rest.operand);
        else if ('body' in rest) again(rest.body);
        expect(withoutSpans(own)).toEqual(withoutSpans({ ...rest, span }));
      };
      again(whole);
    }),
    { numRuns: deep ? 5000 : 300 },
  );
});

/** The expression as data, without text spans. */
function withoutSpans(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, part: unknown) => (key === 'span' ? undefined : part)));
}

describe('the explanation of a clause', () => {
  test('has the selected value', () => {
    expect(explained('"/port" == 23')).toMatchObject({
      outcome: 'fails',
      seen: { isThere: true, value: 22 },
    });
    expect(explained('"/none" is empty')).toMatchObject({ outcome: 'holds', seen: { isThere: false } });
    expect(explained('prod in "/tags/env"')).toMatchObject({
      outcome: 'holds',
      seen: { value: ['prod', 'eu'] },
    });
  });

  test('says why the clause is meaningless', () => {
    expect(explained('"/port" matches "2"')).toMatchObject({
      outcome: 'meaningless',
      reason: 'A number cannot be matched with a pattern',
      seen: { value: 22 },
    });
    expect(explained('"/none/deeper" == x')).toMatchObject({
      outcome: 'meaningless',
      reason: `"none" doesn't exist`,
    });
    expect(explained('not "/port" == x').outcome).toBe('meaningless');
  });

  test('has all elements and says which were asked', () => {
    expect(explained('any "/hosts" as h { h.port == 1 }')).toMatchObject({
      outcome: 'holds',
      parts: [
        { element: 0, outcome: 'holds', isAsked: true },
        { element: 1, outcome: 'fails', isAsked: false },
        { element: 2, isAsked: false },
      ],
    });
    expect(explained('all "/tags" as key, values { "eu" in values }')).toMatchObject({
      outcome: 'fails',
      parts: [
        { element: 'env', outcome: 'holds' },
        { element: 'team', outcome: 'fails' },
      ],
    });
  });
});
