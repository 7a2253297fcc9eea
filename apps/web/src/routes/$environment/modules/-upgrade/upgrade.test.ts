import type { ModuleContent, ModuleInput } from '@gatehouse/api-types/console/modules';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testContent, testFolder, testInput } from '../test-module.ts';
import { compareContent, type ContentComparison } from './compare-content.ts';
import { normalExpression, normalType } from './normal-expression.ts';
import { rewriteUsage } from './rewrite-usage.ts';

const optional = (name: string, value: string, fields: Partial<ModuleInput> = {}): ModuleInput =>
  testInput(name, { default: value, required: false, ...fields });

/** A comparison's verdict and findings, in words. */
function said(from: ModuleContent, to: ModuleContent): readonly unknown[] {
  const compared = compareContent(from, to);
  const found = compared?.folders.flatMap(({ path, changes }) =>
    changes.map(({ name, what }) => `${[path, name].filter(Boolean).join(' ')}: ${what}`),
  );
  return [compared?.verdict, ...(found ?? [])];
}

const inputs = (...items: ModuleInput[]) => testContent({ inputs: items });
const needs = (version: string, source = 'hashicorp/aws', aliases: string[] = []) =>
  testContent({ provider_dependencies: [{ name: 'aws', namespace: 'hashicorp', source, version, aliases }] });
const output = (name: string, sensitive = false) => ({
  name,
  description: '',
  sensitive,
  ephemeral: false,
  deprecated: '',
});
const check = (condition: string) => ({ condition, message: 'No.' });

describe('effects of an upgrade', () => {
  const changes: readonly (readonly [string, ModuleContent, ModuleContent, string, string])[] = [
    ['a new required input', inputs(), inputs(testInput('a')), 'breaking', 'a: new required input'],
    ['a new optional input', inputs(), inputs(optional('a', '1')), 'additive', 'a: new optional input'],
    ['a removed input', inputs(optional('a', '1')), inputs(), 'breaking', 'a: input removed'],
    [
      'another type',
      inputs(testInput('a')),
      inputs(testInput('a', { type: 'list(string)' })),
      'breaking',
      'a: type changed',
    ],
    ...(
      [
        ['string', 'any'],
        ['number', 'string'],
        ['map(bool)', 'map(string)'],
        ['object({ a = string })', 'object({\n  a = string\n  b = optional(list(string), ["x, y)"])\n})'],
        ['object({ a = string })', 'object({ a = optional(any) })'],
        ['list(object({ a = optional(number, 1) }))', 'list(object({ "a" = optional(string, "2") }))'],
        ['tuple([number, bool])', 'tuple([string, bool])'],
      ] as const
    ).map(([from, to]): (typeof changes)[number] => [
      `a wider type: ${to}`,
      inputs(testInput('a', { type: from })),
      inputs(testInput('a', { type: to })),
      'additive',
      'a: accepts more than before',
    ]),
    ...(
      [
        ['any', 'string'],
        ['string', 'number'],
        ['list(string)', 'set(string)'],
        ['object({ a = string })', 'object({ a = string, b = string })'],
        ['object({ a = string, b = string })', 'object({ a = string })'],
        ['object({ a = optional(string) })', 'object({ a = string })'],
        ['tuple([number])', 'tuple([number, number])'],
        ['list(any)', 'list(string)'],
      ] as const
    ).map(([from, to]): (typeof changes)[number] => [
      `a narrower type: ${to}`,
      inputs(testInput('a', { type: from })),
      inputs(testInput('a', { type: to })),
      'breaking',
      'a: type changed',
    ]),
    ...(
      [
        [{}, { nullable: false }, 'breaking', 'no longer accepts null'],
        [{ nullable: false }, {}, 'additive', 'accepts null now'],
        [{ required: false }, { required: false, nullable: false }, 'none', 'null now means the default'],
        [{}, { validations: [check('a > 1')] }, 'breaking', 'new validation'],
        [
          { validations: [check('a>1')] },
          { validations: [check('a > 1'), check('b')] },
          'breaking',
          'new validation',
        ],
        [
          { validations: [check('a'), check('b')] },
          { validations: [check('b')] },
          'additive',
          'fewer validations',
        ],
        [{}, { ephemeral: true }, 'additive', 'accepts ephemeral values now'],
        [{ ephemeral: true }, {}, 'breaking', 'no longer accepts ephemeral values'],
        [{}, { deprecated: 'Use b.' }, 'none', 'now deprecated'],
      ] as const satisfies readonly (readonly [Partial<ModuleInput>, Partial<ModuleInput>, string, string])[]
    ).map(([from, to, verdict, what]): (typeof changes)[number] => [
      `an input's attribute: ${what}`,
      inputs(testInput('a', structuredClone(from))),
      inputs(testInput('a', structuredClone(to))),
      verdict,
      `a: ${what}`,
    ]),
    [
      'a newer Terraform',
      testContent({ required_version: '>= 1.3' }),
      testContent({ required_version: '>= 1.9, < 2' }),
      'breaking',
      'required_version: requires a newer Terraform or OpenTofu',
    ],
    [
      'a constraint with the same minimum Terraform',
      testContent({ required_version: '~> 1.3' }),
      testContent({ required_version: '>= 1.3' }),
      'none',
      'required_version: constraint changed',
    ],
    [
      'another configuration of a provider',
      needs('', 'h/aws', ['aws.dns']),
      needs('', 'h/aws', ['aws.dns', 'aws.eu']),
      'breaking',
      'aws: configuration_aliases changed',
    ],
    ['a removed default', inputs(optional('a', '1')), inputs(testInput('a')), 'breaking', 'a: now required'],
    ['a new default', inputs(testInput('a')), inputs(optional('a', '1')), 'additive', 'a: now optional'],
    ['another default', inputs(optional('a', '1')), inputs(optional('a', '2')), 'none', 'a: default changed'],
    [
      'a removed output',
      testContent({ outputs: [output('o')] }),
      testContent(),
      'breaking',
      'o: output removed',
    ],
    ['a new output', testContent(), testContent({ outputs: [output('o')] }), 'additive', 'o: new output'],
    [
      'a newly sensitive output',
      testContent({ outputs: [output('o')] }),
      testContent({ outputs: [output('o', true)] }),
      'none',
      'o: now sensitive',
    ],
    [
      'a newer major of a provider',
      needs('>= 4.0'),
      needs('>= 5.0'),
      'breaking',
      'aws: requires a newer major version',
    ],
    [
      'other versions of a provider',
      needs('>= 4.0'),
      needs('>= 4.9'),
      'none',
      'aws: version constraint changed',
    ],
    ['another provider', needs('>= 4.0'), needs('>= 4.0', 'acme/aws'), 'breaking', 'aws: source changed'],
    ['a new provider', testContent(), needs(''), 'none', 'aws: new provider'],
    [
      'a removed resource',
      testContent({ resources: [{ type: 'aws_vpc', name: 'this' }] }),
      testContent(),
      'none',
      'aws_vpc.this: no longer managed: destroyed unless it was moved',
    ],
    [
      'another version of a called module',
      testContent({ dependencies: [{ name: 'd', source: 'a/b/c', version: '1.0.0' }] }),
      testContent({ dependencies: [{ name: 'd', source: 'a/b/c', version: '2.0.0' }] }),
      'none',
      'd: source or version changed',
    ],
    [
      'a removed submodule',
      testContent({}, { submodules: [testFolder({ path: 'modules/x' })] }),
      testContent(),
      'breaking',
      'modules/x modules/x: submodule removed',
    ],
    [
      'a new input of a submodule',
      testContent({}, { submodules: [testFolder({ path: 'modules/x' })] }),
      testContent({}, { submodules: [testFolder({ path: 'modules/x', inputs: [testInput('a')] })] }),
      'breaking',
      'modules/x a: new required input',
    ],
  ];

  test.each(changes)('%s', (_, from, to, ...expected) => {
    expect(said(from, to)).toEqual(expected);
  });

  test('finds no change in formatting and descriptions', () => {
    const one = inputs(
      optional('a', '{ b = 1, c = ["x  y"] }', { type: 'object({ b = number, c = list(string) })' }),
      testInput('legacy', { type: '"string"' }),
    );
    const other = inputs(
      optional('a', '{\n  b = 1\n  c = [\n    "x  y",\n  ]\n}', {
        type: 'object({\n  b = number # how many\n  c = list(string)\n})',
        description: 'said otherwise',
      }),
      testInput('legacy'),
    );
    expect(said(one, other)).toEqual(['none']);
    expect(said(needs('>= 4.0, < 6.0'), needs('<6.0,>=4.0'))).toEqual(['none']);
  });

  test('keeps whitespace within strings', () => {
    expect(normalExpression('"a  b"')).not.toBe(normalExpression('"a b"'));
    expect(normalExpression('<<EOT\na  b\nEOT')).not.toBe(normalExpression('<<EOT\na b\nEOT'));
    expect(normalType('map( string )')).toBe('map(string)');
  });

  test.each([
    ['"a  b', '"a  b'],
    ['"\\"  b\\', '"\\"  b\\'],
    ['"a,,', '"a,'],
    ['<<A\n<<A\n  b', '<<A\n<<A\n  b'],
    ['a /* b /* c', 'a'],
    ['a \r\r\r b', 'a b'],
  ])('reads %j once: an unterminated part extends to the end', (text, normal) => {
    expect(normalExpression(text)).toBe(normal);
  });

  test('skips unread content and reports it', () => {
    expect(compareContent(testContent({}, { root: null }), testContent())).toBeUndefined();
    const half = testContent({}, { problems: [{ path: 'main.tf', message: 'x' }] });
    expect(compareContent(half, testContent())?.unread).toEqual(['main.tf']);
  });
});

const name = fc.constantFrom('a', 'b', 'c');
const some = <Item>(item: fc.Arbitrary<Item & { name: string }>) =>
  fc.uniqueArray(item, { selector: (one) => one.name, maxLength: 3 });
const anyFolder = (path: fc.Arbitrary<string>) =>
  fc.record({
    path,
    name: fc.constant(''),
    readme: fc.string(),
    empty: fc.constant(false),
    required_version: fc.constantFrom('', '>= 1.3', '~> 1.3', '< 2'),
    inputs: some(
      fc.record({
        name,
        type: fc.constantFrom('', 'string', 'list(string)', 'object({a=string})'),
        description: fc.string(),
        default: fc.constantFrom('1', '"a b"', '[ 1 ]'),
        required: fc.boolean(),
        sensitive: fc.boolean(),
        ephemeral: fc.boolean(),
        nullable: fc.boolean(),
        deprecated: fc.constantFrom('', 'x'),
        validations: fc.subarray(['a', 'b']).map((list) => list.map(check)),
      }),
    ).map((list) => list.map((one) => (one.required ? { ...one, default: '' } : one))),
    outputs: some(
      fc.record({
        name,
        description: fc.string(),
        sensitive: fc.boolean(),
        ephemeral: fc.boolean(),
        deprecated: fc.constantFrom('', 'x'),
      }),
    ),
    dependencies: some(
      fc.record({ name, source: fc.constantFrom('x', 'y'), version: fc.constantFrom('', '1.0') }),
    ),
    provider_dependencies: some(
      fc.record({
        name,
        namespace: fc.constant(''),
        source: fc.constantFrom('h/a', 'h/b'),
        version: fc.constantFrom('', '>= 4.0', '~> 5.1', '>= 4.0, < 6.0'),
        aliases: fc.subarray(['a.b', 'a.c']),
      }),
    ),
    resources: some(fc.record({ name, type: fc.constantFrom('t', 'u') })),
  });
const anyContent: fc.Arbitrary<ModuleContent> = fc.record({
  from: fc.constant('registry' as const),
  reason: fc.constant(''),
  root: anyFolder(fc.constant('')),
  submodules: fc.uniqueArray(anyFolder(fc.constantFrom('modules/x', 'modules/y')), {
    selector: ({ path }) => path,
  }),
  examples: fc.constant([]),
  problems: fc.constant([]),
});

function flat(compared: ContentComparison | undefined) {
  return (
    compared?.folders.flatMap(({ path, changes }) => changes.map((change) => ({ path, ...change }))) ?? []
  );
}

describe('properties', () => {
  test('finds no changes between a version and itself', () => {
    fc.assert(
      fc.property(anyContent, (one) => {
        expect(compareContent(one, structuredClone(one))).toEqual({
          verdict: 'none',
          folders: [],
          unread: [],
        });
      }),
    );
  });

  test('reports additions as removals in the other direction', () => {
    const opposite = { added: 'removed', removed: 'added', changed: 'changed' };
    fc.assert(
      fc.property(anyContent, anyContent, (one, other) => {
        const key = ({ path, area, name, kind }: ReturnType<typeof flat>[number], reversed: boolean) =>
          [path, area, name, reversed ? opposite[kind] : kind].join(' ');
        const there = flat(compareContent(one, other)).map((change) => key(change, false));
        const back = flat(compareContent(other, one)).map((change) => key(change, true));
        expect(there.toSorted()).toEqual(back.toSorted());
      }),
    );
  });

  test('rewrites a valid block to have all inputs that the new version requires, and none that it lacks', () => {
    fc.assert(
      fc.property(anyContent, anyContent, (one, other) => {
        const block = [
          'module "m" {',
          '  source = "a/b/c"',
          ...(one.root?.inputs ?? []).map(({ name }) => `  ${name} = {\n    source = 1\n  }`),
          '}',
        ].join('\n');
        const { folders = [] } = compareContent(one, other) ?? {};
        const changes = folders.find(({ path }) => path === '')?.changes ?? [];
        const rewritten = rewriteUsage(block, '2.0.0', changes, () => 'any');
        if (typeof rewritten === 'string') throw new Error(rewritten);
        const given = [...rewritten.block.matchAll(/^ {2}(\w+) +=/gm)].map(([, argument]) => argument);
        expect(new Set(given).size).toBe(given.length);
        const known = other.root?.inputs ?? [];
        for (const { name, required } of known) if (required) expect(given).toContain(name);
        for (const argument of given)
          expect(['source', 'version', ...known.map(({ name }) => name)]).toContain(argument);
      }),
    );
  });
});

test('keeps everything else in a block as written', () => {
  const block = `# ours
module "net" {
  source    = "acme/vpc/aws" # the registry
  version   = "~> 1.2"       # keep in step
  providers = { aws = aws.east }

  cidr = var.cidr
  tags = {
    team = "net"
  }
}

output "id" {}
`;
  const from = inputs(testInput('cidr'), optional('tags', '{}'), testInput('old'));
  const to = inputs(testInput('cidr', { type: 'list(string)' }), testInput('zones', { type: 'set(string)' }));
  const changes = compareContent(from, to)?.folders[0]?.changes ?? [];
  const types = new Map(to.root?.inputs.map(({ name, type }) => [name, type]));
  expect(rewriteUsage(block, '~> 2.0', changes, (name) => types.get(name) ?? '')).toEqual({
    block: `# ours
module "net" {
  source    = "acme/vpc/aws" # the registry
  version   = "~> 2.0"       # keep in step
  providers = { aws = aws.east }

  cidr = var.cidr
  zones = null # required, set(string)
}

output "id" {}
`,
    notes: [
      'cidr now has another type (list(string)): check its value.',
      'tags was removed, because the input no longer exists.',
      'zones is now required. Replace null with a value.',
    ],
  });
  expect(rewriteUsage('resource "a" "b" {}', '1', [], () => '')).toMatch(/No module block/);
  expect(rewriteUsage('module "a" {\n  x = [\n}\n', '1', [], () => '')).toMatch(/has no opening bracket/);
});

test.each([
  [inputs(), ['aws.east'], 'aws.east'],
  [needs('>= 5.0', 'hashicorp/aws', ['aws']), ['aws.east', 'aws.west'], 'aws.east, aws.west'],
])('notes new provider configurations (%#)', (from, aliases, named) => {
  const changes = compareContent(from, needs('>= 5.0', 'hashicorp/aws', aliases))?.folders[0]?.changes ?? [];
  const block = 'module "net" {\n  source = "a/b/c"\n}\n';
  expect(rewriteUsage(block, '2.0.0', changes, () => '')).toMatchObject({
    notes: [`Check the providers argument. The module now requires: ${named}.`],
  });
});

test("keeps code in an input's name or type out of a block", () => {
  const to = inputs(
    testInput('a = 1\n}\nresource "x" "y" {', { type: 'string' }),
    testInput('b', { type: 'string\n}\nresource "x" "y" {' }),
  );
  const changes = compareContent(inputs(), to)?.folders[0]?.changes ?? [];
  const types = new Map(to.root?.inputs.map(({ name, type }) => [name, type]));
  const block = 'module "net" {\n  source = "acme/net/aws"\n}\n';
  expect(rewriteUsage(block, '2.0.0', changes, (name) => types.get(name) ?? '')).toMatchObject({
    block:
      'module "net" {\n  source = "acme/net/aws"\n  version = "2.0.0"\n  b = null # required, string } resource "x" "y" {\n}\n',
  });
});
