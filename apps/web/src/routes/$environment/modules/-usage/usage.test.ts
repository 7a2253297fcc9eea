import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialsBlock, tokenVariable } from '../../-modules/credentials.ts';
import { quoted, textValue } from '../../-modules/hcl-value.ts';
import { expressionProblem, scanModuleBlock } from './hcl-scan.ts';
import { inputKind, numberProblem, placeholderOf, usageBlock } from './usage-block.ts';
import { allowsNewer, constraintKinds, constraintOf } from './version-constraint.ts';

/** Reads a quoted string as clients do. @throws Error if it contains a template */
function readQuoted(source: string): string {
  const inner = /^"((?:\\.|[^"\\\n])*)"$/su.exec(source)?.[1];
  if (inner === undefined) throw new Error(`not one text in quotes: ${source}`);
  let text = '';
  for (let at = 0; at < inner.length;) {
    const rest = inner.slice(at);
    const [code, hex] = /^\\u([0-9a-f]{4})/.exec(rest) ?? [];
    const [escape, letter] = /^\\([nrt"\\])/.exec(rest) ?? [];
    if (code !== undefined) text += String.fromCharCode(Number.parseInt(hex ?? '', 16));
    else if (letter !== undefined) text += { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
    else if (/^[$%]{3}\{/.test(rest)) throw new Error(`read in two ways: ${source}`);
    else if (/^([$%])\1\{/.test(rest)) text += rest.slice(1, 3);
    else if (/^[$%]\{/.test(rest)) throw new Error(`a template: ${source}`);
    else text += rest.charAt(0);
    at += code?.length ?? escape?.length ?? (/^([$%])\1\{/.test(rest) ? 3 : 1);
  }
  return text;
}

/** Reads a quoted string or a heredoc. */
function readText(source: string): string {
  const [, chomp, mark = '', body = ''] =
    /^(chomp\()?<<(EOT\d*)\n(.*\n)\2(?:\n {2}\))?$/su.exec(source) ?? [];
  if (mark === '') return readQuoted(source);
  expect(body.split('\n').map((line) => line.trim())).not.toContain(mark);
  // After another `$` or `%`, a template's start is ambiguous.
  expect(body).not.toMatch(/[$%]{3}\{/);
  expect(body.replaceAll(/[$%]{2}\{/g, '')).not.toMatch(/[$%]\{/);
  const text = body.replaceAll(/([$%])\1\{/g, '$1{');
  return chomp === undefined ? text : text.replace(/\n+$/, '');
}

const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '\r', '\t', 'E', 'O', 'T', ' ', 'a'),
  }),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.constantFrom(
    'EOT\n',
    'a\nEOT\nEOT2\n',
    '\n',
    '\n\n',
    '$${a}',
    'a\n$${b}\n',
    '%%%{if x}',
    '\u0000',
    '\u2028',
  ),
);

describe('strings', () => {
  test('reads every string back, and evaluates nothing in it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readQuoted(quoted(text))).toBe(text);
        expect(readText(textValue(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('writes several lines as a heredoc if that is equivalent', () => {
    expect(textValue('a "b"\nc\n')).toBe('<<EOT\na "b"\nc\nEOT');
    expect(textValue('a\n  b ${c}')).toBe('chomp(<<EOT\na\n  b $${c}\nEOT\n  )');
    expect(textValue('a\r\nb\n')).toBe(String.raw`"a\r\nb\n"`);
    expect(textValue('EOT\n')).toBe('<<EOT2\nEOT\nEOT2');
  });
});

describe('expressions', () => {
  test.each([
    'var.x',
    '[1, 2]',
    '{\n  a = "}"\n}',
    '"${var.a}-${f("b")}"',
    '<<EOT\n ( \nEOT',
    '(\n  1 + 2\n)',
    '[ # ]\n]',
    '"$${("',
  ])('accepts one that stays within its argument: %s', (text) => {
    expect(expressionProblem(text)).toBeUndefined();
  });

  test.each(['[1, 2', 'a)', '"a', '"${a"', '1\nb = 2', '<<EOT\na', '{ a = ( }', '', '/* a', '"a\nb"'])(
    'refuses one that runs into what follows: %j',
    (text) => {
      expect(expressionProblem(text)).toMatch(/\.$/);
    },
  );

  test('keeps every accepted one within its argument', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"',
      '${',
      '\\',
      '\n',
      'a',
      ' = ',
      ',',
      '#',
      '<<EOT\n',
      '\nEOT',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.join('');
        if (expressionProblem(text) !== undefined) return;
        const block = scanModuleBlock(`module "a" {\n  source = "s"\n  x = ${text.trim()}\n  last = 1\n}\n`);
        if (typeof block === 'string') expect(block).toBe('');
        else expect(block.args.map(({ name }) => name)).toEqual(['source', 'x', 'last']);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the block', () => {
  test('has the submodule in its source, the constraint and the given inputs', () => {
    expect(
      usageBlock({
        label: 'My VPC',
        address: 'modules.example.com/acme/vpc/aws',
        submodule: 'modules/endpoints',
        version: '~> 1.2',
        inputs: [
          { name: 'cidr', value: { kind: 'text', text: '10.0.0.0/16' } },
          { name: 'azs', value: { kind: 'expression', text: ' ["a", "b"] ' } },
          { name: 'policy', value: { kind: 'text', text: '{\n}\n' } },
          { name: 'flow_logs', value: { kind: 'expression', text: 'true' } },
        ],
        folder: { provider_dependencies: [{ aliases: ['aws.dns', 'aws.eu_west'] }] },
      }),
    ).toBe(
      [
        'module "my_vpc" {',
        '  source  = "modules.example.com/acme/vpc/aws//modules/endpoints"',
        '  version = "~> 1.2"',
        '',
        '  providers = {',
        '    aws.dns     = aws.dns',
        '    aws.eu_west = aws.eu_west',
        '  }',
        '',
        '  cidr = "10.0.0.0/16"',
        '  azs  = ["a", "b"]',
        '  policy = <<EOT',
        '{',
        '}',
        'EOT',
        '  flow_logs = true',
        '}',
      ].join('\n'),
    );
  });

  test('consists of the source without inputs and version', () => {
    const block = usageBlock({
      label: 'x',
      address: 'a/b/c',
      submodule: '',
      version: '',
      inputs: [],
      folder: null,
    });
    expect(block).toBe('module "x" {\n  source = "a/b/c"\n}');
  });

  test('gives strings, numbers and booleans their own controls, even if an old module quotes the type', () => {
    expect(['constructor', '__proto__', 'toString'].map(inputKind)).toEqual(Array(3).fill('expression'));
    expect(['string', ' "string"', 'number', 'bool', 'list(string)', ''].map(inputKind)).toEqual([
      'text',
      'text',
      'number',
      'bool',
      'expression',
      'expression',
    ]);
    expect(['3', '-0.5', '1e9'].map(numberProblem)).toEqual([undefined, undefined, undefined]);
    for (const wrong of ['', '.5', '1,5', '0x1', 'var.a', '1 2'])
      expect(numberProblem(wrong)).toMatch(/number/);
  });
});

test('puts a value of its type in place of a required input that is missing', () => {
  const types = {
    string: '"REPLACE_ME"',
    '"string"': '"REPLACE_ME"',
    number: '0',
    bool: 'false',
    'list(string)': '[]',
    'set(object({ a = string }))': '[]',
    'tuple([string])': '[]',
    'map(string)': '{}',
    'object({\n a = list(string)\n})': '{}',
    any: 'null',
    '': 'null',
  };
  const written = (type: string, sensitive = false) => {
    const value = placeholderOf({ name: 'a', type, sensitive });
    if (value.kind === 'expression') expect(expressionProblem(value.text)).toBeUndefined();
    return value.kind === 'text' ? textValue(value.text) : value.text;
  };
  for (const [type, value] of Object.entries(types))
    expect(`${type} ${written(type)}`).toBe(`${type} ${value}`);
  expect(written('string', true)).toBe('var.a');
});

describe('versions', () => {
  test('writes constraints that the version itself satisfies', () => {
    expect(constraintOf('1.2.0', 'compatible')).toBe('~> 1.2');
    expect(constraintOf('1.2.3', 'compatible')).toBe('~> 1.2, >= 1.2.3');
    expect(constraintOf('1.2.3', 'patches')).toBe('~> 1.2.3');
    expect(constraintOf('0.2.3', 'compatible')).toBe('~> 0.2.3');
    expect(constraintOf('1.2.3', 'least')).toBe('>= 1.2.3');
    expect(constraintOf('1.2.3', 'exact')).toBe('1.2.3');
    // Clients ignore build metadata when they compare.
    expect(constraintOf('1.2.3+build.5', 'compatible')).toBe('~> 1.2, >= 1.2.3');
    expect(constraintOf('1.2.3+build.5', 'exact')).toBe('1.2.3+build.5');
  });

  test('knows the newer versions that a constraint allows', () => {
    const all = ['1.2.3', '1.2.4', '1.3.0', '1.4.0-rc.1', '2.0.0'];
    const allowed = (kind: Parameters<typeof allowsNewer>[1], version = '1.2.3') =>
      all.filter((newer) => allowsNewer(version, kind, newer));
    expect(allowed('compatible')).toEqual(['1.2.4', '1.3.0']);
    expect(allowed('patches')).toEqual(['1.2.4']);
    expect(allowed('least')).toEqual(['1.2.4', '1.3.0', '2.0.0']);
    expect(allowed('exact')).toEqual([]);
    expect(allowed('least', '1.0.0-beta.1')).toEqual([]);
    expect(allowsNewer('0.2.3', 'compatible', '0.2.4')).toBe(true);
    expect(allowsNewer('0.2.3', 'compatible', '0.3.0')).toBe(false);
  });

  test('matches a pre-release only by its exact version', () => {
    for (const version of ['2.0.0-beta.1', 'v2', '1.0'])
      for (const kind of ['compatible', 'patches', 'least', 'exact'] as const)
        expect(constraintOf(version, kind)).toBe(version);
    expect(constraintKinds('2.0.0-beta.1')).toEqual(['exact']);
    expect(constraintKinds('0.1.0')).not.toContain('patches');
  });
});

test('writes the credentials block, and the variable if it can name the host', () => {
  expect(credentialsBlock('modules.example.com:8400')).toContain('credentials "modules.example.com:8400" {');
  expect(tokenVariable('my-modules.example.com')).toBe('TF_TOKEN_my__modules_example_com');
  expect(tokenVariable('modules.example.com:8400')).toBeUndefined();
});

test('leaves out invalid argument names, which could add code to a block', () => {
  const value = { kind: 'expression', text: '1' } as const;
  const names = [
    'ok',
    'a = 1\n}\nresource "x" "y" {',
    'a b',
    '',
    '1st',
    'a"',
    '${a}',
    '#',
    '__proto__',
    'größe-2',
  ];
  expect(
    usageBlock({
      label: 'net',
      address: 'acme/net/aws',
      submodule: '',
      version: '',
      inputs: names.map((name) => ({ name, value })),
      folder: null,
    }),
  ).toBe('module "net" {\n  source = "acme/net/aws"\n\n  ok        = 1\n  __proto__ = 1\n  größe-2   = 1\n}');
});

test("leaves out invalid provider names, which could add their author's code to the block", () => {
  const place = { label: 'a', address: 'example.com/acme/a/aws', submodule: '', version: '', inputs: [] };
  const block = (aliases: string[]): string =>
    usageBlock({ ...place, folder: { provider_dependencies: [{ aliases }] } });
  const hostile = 'aws.a = 1\n  }\n}\nresource "x" "y" {\n  provisioner "local-exec" {';
  expect(block(['aws.dns', hostile, 'aws.', 'file("x")'])).toBe(block(['aws.dns']));
});
