import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilityBits, capabilityWords } from './capability.ts';
import { initialPolicies } from './initial-policies.ts';
import { parsePolicy } from './parse-policy.ts';
import { PolicyFault } from './policy-fault.ts';

const wordsOf = (text: string) =>
  parsePolicy('p', text).rules.map(({ pattern, capabilities }) => [
    pattern,
    ...capabilityWords(capabilities),
  ]);

describe('parsing policies', () => {
  test('accepts paths, comments, trailing commas and legacy levels', () => {
    expect(
      wordsOf(`
        # one
        // two
        /* three
           lines */
        name = "mine"
        path "secret/data/*" { capabilities = ["read", "list",] }
        path "/secret/config" { policy = "write" }
        path "auth/*" { policy = "deny" }
        path "x" { capabilities = ["read", "deny"] }
        path "y" { policy = "read" capabilities = ["sudo"] }
        path "z" { }
      `),
    ).toEqual([
      ['secret/data/*', 'list', 'read'],
      ['secret/config', 'create', 'delete', 'list', 'read', 'update'],
      ['auth/*', 'deny'],
      ['x', 'deny'],
      ['y', 'list', 'read', 'sudo'],
      ['z', 'deny'],
    ]);
  });

  test.each([
    '{"path":{"a/*":{"capabilities":["read"]},"b":{"policy":"sudo"}}}',
    '{"path":[{"a/*":{"capabilities":["read"]}},{"b":[{"policy":"sudo"}]}]}',
    'path = { "a/*" = { capabilities = ["read"] }, b { policy = "sudo" } }',
  ])('accepts the alternative form %s', (text) => {
    expect(wordsOf(text)).toEqual([
      ['a/*', 'read'],
      ['b', 'create', 'delete', 'list', 'read', 'sudo', 'update'],
    ]);
  });

  test('reads parameters and wrapping limits', () => {
    const [rule] = parsePolicy(
      'p',
      `path "a" {
        capabilities = ["update"]
        allowed_parameters = { "Foo" = ["x*", 1, true, ["a"]] "*" = [] }
        denied_parameters { "bar" = "one" }
        required_parameters = ["Foo"]
        min_wrapping_ttl = "1m"
        max_wrapping_ttl = 7200
        comment = <<EOT
any "text"
EOT
      }`,
    ).rules;
    expect(rule).toEqual({
      pattern: 'a',
      capabilities: capabilityBits.update,
      allowed: new Map([
        ['foo', ['x*', 1, true, ['a']]],
        ['*', []],
      ]),
      denied: new Map([['bar', ['one']]]),
      required: ['foo'],
      minWrappingTtl: 60,
      maxWrappingTtl: 7200,
    });
  });

  test('decodes escapes in strings', () => {
    expect(wordsOf(String.raw`path "a\"\\\u00e9\U0001F600" { policy = "read" }`)).toEqual([
      ['a"\\é😀', 'list', 'read'],
    ]);
  });

  test('grants nothing for paths with a template', () => {
    expect(wordsOf('path "x/{{identity.entity.id}}/*" { policy = "read" }')).toEqual([]);
  });

  test.each([
    ['path "a" {', 1, 11, 'expected a name, found the end of the text'],
    ['path "a {\n}', 1, 6, 'literal not terminated'],
    ['\n  pth "a" {}', 2, 3, 'invalid key "pth"'],
    ['path "a" {\n  capabilities = ["raed"]\n}', 2, 19, 'path "a": invalid capability "raed"'],
    ['path "a" {\n  policy = "all"\n}', 2, 12, 'path "a": invalid policy "all"'],
    ['path "a" { capabilitys = [] }', 1, 12, 'path "a": invalid key "capabilitys"'],
    ['path "a" { mfa_methods = ["x"] }', 1, 12, 'path "a": invalid key "mfa_methods"'],
    ['path "a/+*" {}', 1, 6, `path "a/+*": invalid use of wildcards ('+*' is forbidden)`],
    ['path "a" { capabilities = ["read" "list"] }', 1, 35, 'expected "," or "]", found "list"'],
    ['path "a" { capabilities = read }', 1, 27, 'expected a value, found "read"'],
    ['path "a" { policy "x" }', 1, 23, 'expected "=" or "{", found "}"'],
    ['path "a" { policy = 1 }', 1, 21, 'expected a string'],
    ['path "a" "b" {}', 1, 10, 'a path has one label'],
    [
      'path "a" { min_wrapping_ttl = "x" }',
      1,
      31,
      'expected a duration, such as "30m" or a number of seconds',
    ],
    [
      'path "a" { min_wrapping_ttl = 9\nmax_wrapping_ttl = 1 }',
      2,
      20,
      'max_wrapping_ttl cannot be less than min_wrapping_ttl',
    ],
    ['path "a" { policy = "read"\npolicy = "deny" }', 2, 1, 'the argument "policy" was already set'],
    ['/* x', 1, 1, 'comment not terminated'],
    ['path "a" { comment = <<X\n1\n', 1, 22, 'heredoc not terminated'],
    ['path "a\\q" {}', 1, 8, 'illegal char escape'],
    ['path ; {}', 1, 6, 'illegal character ";"'],
    ['{"path":{"a":{}}} x', 1, 19, 'expected the end, found "x"'],
    [`path "a" { allowed_parameters = ${'['.repeat(99)}`, 1, 65, 'nested deeper than 32 levels'],
    ['path"a"{}'.repeat(12_501), 1, 112_501, 'more than 50000 words and symbols'],
  ])('refuses %j at %i:%i', (text, line, column, message) => {
    let fault: unknown;
    try {
      parsePolicy('p', text);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(PolicyFault);
    expect(fault).toMatchObject({ message: `At ${line}:${column}: ${message}`, line, column });
  });

  test('accepts the initial policies', () => {
    for (const [name, text] of Object.entries(initialPolicies)) {
      expect(parsePolicy(name, text).rules.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['comments', '#\n'.repeat(400_000)],
    ['a heredoc', `path "a" { comment = <<-X\n${' a\n'.repeat(250_000)}X\n}`],
    ['a name', `path "${'a'.repeat(900_000)}" {}`],
  ])('reads %s of great length', (_what, text) => {
    expect(() => parsePolicy('p', text)).not.toThrow();
  });

  test('reads any text or refuses it with a position within the text', () => {
    const pieces = fc.constantFrom(
      'path',
      '"a/*"',
      '{',
      '}',
      '[',
      ']',
      '=',
      ',',
      'capabilities',
      '"read"',
      '\n',
      '#',
      '/*',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join(' ')),
        ),
        (text) => {
          try {
            parsePolicy('p', text);
          } catch (error) {
            if (!(error instanceof PolicyFault)) throw error;
            const line = text.split('\n')[error.line - 1];
            expect(line).toBeDefined();
            expect(error.column).toBeLessThanOrEqual((line ?? '').length + 1);
          }
        },
      ),
    );
  });
});
