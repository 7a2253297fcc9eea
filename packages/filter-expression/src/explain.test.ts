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

/** Leaves out what is larger than an expression may be. */
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
      // A clause that was answered saw something; one that was not says why.
      if (outcome !== 'meaningless') expect(seen).toBeDefined();
      else if (parts.length === 0) expect(reason).not.toBe('');
  }
  if (!isAsked) expect(parts.some((part) => part.isAsked)).toBe(false);
}

test('the root holds exactly when the filter matches, and every part agrees with the whole', () => {
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

test('a clause that was asked is one without which the evaluation would not know', () => {
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

test('a clause is the text that it was read from', () => {
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

/** An expression as data, wherever it was written. */
function withoutSpans(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, part: unknown) => (key === 'span' ? undefined : part)));
}

describe('what a clause says', () => {
  test('the value it saw', () => {
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

  test('why it makes no sense', () => {
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

  test('each element, and which of them were asked', () => {
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
