import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileAcl } from './acl.ts';
import type { Acl, AclRequest } from './acl.ts';
import { capabilityBits, capabilityWords } from './capability.ts';
import { initialPolicies } from './initial-policies.ts';
import { parsePolicy } from './parse-policy.ts';
import type { PathRule, Policy } from './policy.ts';

const aclOf = (...texts: string[]): Acl =>
  compileAcl(texts.map((text, index) => ({ policy: parsePolicy(`p${index}`, text), namespace: '' })));
const rule = (path: string, ...words: string[]): string =>
  `path "${path}" { capabilities = ${JSON.stringify(words)} }\n`;
const may = (acl: Acl, operation: AclRequest['operation'], path: string): boolean =>
  acl.judge({ operation, path }).allowed;

describe('capabilities of a path', () => {
  test('an exact path takes precedence over every pattern', () => {
    const acl = aclOf(rule('a/b', 'read'), rule('a/+', 'list'), rule('a/b*', 'update'), rule('a/*', 'deny'));
    expect(acl.capabilities('a/b')).toEqual(['read']);
    expect(acl.capabilities('a/bc')).toEqual(['update']);
    expect(acl.capabilities('a/c')).toEqual(['list']);
    expect(acl.capabilities('a/c/d')).toEqual(['deny']);
    expect(acl.capabilities('x')).toEqual(['deny']);
  });

  test.each([
    // A later first wildcard.
    ['secret/*', 'secret/+/+/foo/*', 'secret/x/y/foo/z', 0],
    ['foo/bar/+/baz', 'foo/+/bar/baz', 'foo/bar/bar/baz', 0],
    ['foo/a*', 'foo/+', 'foo/a', 0],
    // No star at the end.
    ['foo/+', 'foo/*', 'foo/x', 0],
    ['foo/+/bar', 'foo/+/ba*', 'foo/x/bar', 0],
    // Fewer plus signs.
    ['secret/+/b/+', 'secret/+/+/c', 'secret/a/b/c', -1],
    ['foo/+/bar/+', 'foo/+/+/+', 'foo/x/bar/y', 0],
    // More characters.
    ['foo/+/bar/ba*', 'foo/+/bar/b*', 'foo/x/bar/baz', 0],
    ['+/+/cc', '+/b/+', 'x/b/cc', 0],
  ])('%s takes precedence over %s at %s', (one, other, path, winner) => {
    const acl = aclOf(rule(one, 'read') + rule(other, 'update'));
    const swapped = aclOf(rule(other, 'update') + rule(one, 'read'));
    expect(acl.capabilities(path)).toEqual(swapped.capabilities(path));
    if (winner === 0) expect(acl.capabilities(path)).toEqual(['read']);
  });

  test('several policies with the same pattern are merged, and deny wins', () => {
    expect(aclOf(rule('a/*', 'read'), rule('a/*', 'list')).capabilities('a/x')).toEqual(['list', 'read']);
    for (const order of [
      ['read', 'deny', 'list'],
      ['deny', 'read'],
      ['read', 'deny'],
    ]) {
      expect(aclOf(...order.map((word) => rule('a/+', word))).capabilities('a/x')).toEqual(['deny']);
    }
  });

  test('create does not include update, list does not include read, and update does not include patch', () => {
    const acl = aclOf(rule('a', 'create', 'list'), rule('b', 'patch'));
    expect(may(acl, 'create', 'a')).toBe(true);
    expect(may(acl, 'update', 'a')).toBe(false);
    expect(may(acl, 'list', 'a')).toBe(true);
    expect(may(acl, 'read', 'a')).toBe(false);
    expect(may(acl, 'patch', 'b')).toBe(true);
    expect(may(acl, 'update', 'b')).toBe(false);
  });

  test('rules with and without a trailing slash allow listing a folder', () => {
    expect(may(aclOf(rule('a/b', 'list')), 'list', 'a/b/')).toBe(true);
    expect(may(aclOf(rule('a/b/', 'list')), 'list', 'a/b/')).toBe(true);
    expect(may(aclOf(rule('a/+', 'list')), 'list', 'a/b/')).toBe(true);
    expect(may(aclOf(rule('a/b/*', 'list')), 'list', 'a/b/')).toBe(true);
    expect(may(aclOf(rule('a/b/', 'read')), 'read', 'a/b')).toBe(false);
  });

  test('a rule for what is below a folder does not cover its list where another rule covers the folder, as in OpenBao', () => {
    const allowed = rule('secret/metadata/x/*', 'list', 'read');
    const acl = aclOf(allowed, rule('secret/metadata/x/no/*', 'deny'));
    expect(may(acl, 'list', 'secret/metadata/x/no/')).toBe(true);
    expect(may(acl, 'read', 'secret/metadata/x/no/a')).toBe(false);
    expect(may(acl, 'list', 'secret/metadata/x/no/a/')).toBe(false);
    // The folder is denied by its own name.
    for (const pattern of ['secret/metadata/x/no', 'secret/metadata/x/no/', 'secret/metadata/x/no*'])
      expect(may(aclOf(allowed, rule(pattern, 'deny')), 'list', 'secret/metadata/x/no/')).toBe(false);
  });

  test('plus matches one whole segment, and a trailing star any rest', () => {
    const acl = aclOf(rule('a/+/c', 'read'), rule('b*', 'read'), rule('+', 'list'), rule('d/+/e*', 'read'));
    expect(may(acl, 'read', 'a/x/c')).toBe(true);
    expect(may(acl, 'read', 'a//c')).toBe(true);
    expect(may(acl, 'read', 'a/x/y/c')).toBe(false);
    expect(may(acl, 'read', 'a/x/c/d')).toBe(false);
    expect(may(acl, 'read', 'b')).toBe(true);
    expect(may(acl, 'read', 'b/c/d')).toBe(true);
    expect(acl.capabilities('anything')).toEqual(['list']);
    expect(acl.capabilities('any/thing')).toEqual(['deny']);
    expect(may(acl, 'read', 'd/x/eff/g')).toBe(true);
    expect(may(acl, 'read', 'd/x/f')).toBe(false);
  });

  test('patterns are relative to the namespace of their policy', () => {
    const policy = parsePolicy('p', rule('secret/*', 'read') + rule('+/x', 'list'));
    const acl = compileAcl([{ policy, namespace: 'team/' }]);
    expect(acl.capabilities('team/secret/a')).toEqual(['read']);
    expect(acl.capabilities('secret/a')).toEqual(['deny']);
    expect(acl.capabilities('team/any/x')).toEqual(['list']);
  });

  test('the root policy allows everything', () => {
    const root: Policy = { name: 'root', rules: [], symbols: 0 };
    const acl = compileAcl([{ policy: root, namespace: '' }]);
    expect(acl.judge({ operation: 'delete', path: 'x' })).toEqual({ allowed: true, sudo: true });
    expect(acl.capabilities('x')).toEqual(['root']);
    expect(compileAcl([{ policy: root, namespace: 'team/' }]).root).toBe(false);
  });

  test('sudo is reported separately from the capability', () => {
    const acl = aclOf(rule('a', 'read', 'sudo'), rule('b', 'sudo'));
    expect(acl.judge({ operation: 'read', path: 'a' })).toEqual({ allowed: true, sudo: true });
    expect(acl.judge({ operation: 'read', path: 'b' })).toEqual({ allowed: false, sudo: true });
  });
});

test('merges the rules of one path in place, because a copy for each would take quadratic time', () => {
  const texts = Array.from(
    { length: 1000 },
    (_, index) => `path "a" { allowed_parameters = { p${index} = [] } required_parameters = ["p${index}"] }`,
  );
  const policies = texts.map((text) => ({ policy: parsePolicy('p', text), namespace: '' }));
  const spies = [vi.spyOn(Map.prototype, 'set'), vi.spyOn(Set.prototype, 'add')];
  const acl = compileAcl(policies);
  const added = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  expect(added).toBeLessThan(10_000);
  expect(acl.grants().exact.get('a')?.allowed?.size).toBe(1000);
});

describe('parameters', () => {
  const send = (text: string, parameters: Record<string, unknown>, ...more: string[]): boolean =>
    aclOf(`path "a" { capabilities = ["update"] ${text} }`, ...more).judge({
      operation: 'update',
      path: 'a',
      parameters,
    }).allowed;

  test('only allowed ones are accepted', () => {
    expect(send('allowed_parameters = { foo = [] }', { foo: 1 })).toBe(true);
    expect(send('allowed_parameters = { foo = [] }', { FOO: 1 })).toBe(true);
    expect(send('allowed_parameters = { foo = [] }', { bar: 1 })).toBe(false);
    expect(send('allowed_parameters = { foo = ["a*", "*z", "*m*", 3] }', { foo: 'abc' })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a*", "*z", "*m*", 3] }', { foo: 'xyz' })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a*", "*z", "*m*", 3] }', { foo: 'omo' })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a*", "*z", "*m*", 3] }', { foo: 3 })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a*", "*z", "*m*", 3] }', { foo: 'b' })).toBe(false);
    expect(send('allowed_parameters = { foo = ["a"] "*" = [] }', { bar: 1, foo: 'a' })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a"] "*" = [] }', { bar: 1, foo: 'b' })).toBe(false);
    expect(send('allowed_parameters = { foo = [] }', {})).toBe(true);
  });

  test('denied ones are refused', () => {
    expect(send('denied_parameters = { foo = [] }', { foo: 1 })).toBe(false);
    expect(send('denied_parameters = { foo = ["a"] }', { foo: 'b', bar: 1 })).toBe(true);
    expect(send('denied_parameters = { foo = ["a"] }', { foo: 'a' })).toBe(false);
    expect(send('denied_parameters = { "*" = [] }', { any: 1 })).toBe(false);
    expect(send('denied_parameters = { foo = [] } allowed_parameters = { "*" = [] }', { foo: 1 })).toBe(
      false,
    );
  });

  test('a list is allowed if each of its values is, and denied if one is', () => {
    const allowed = 'allowed_parameters = { foo = ["a", "b*"] }';
    for (const [foo, expected] of [
      [['a'], true],
      [['b1', 'a'], true],
      [['a', 'c'], false],
      [[], false],
      [[['a']], false],
      ['a,c', false],
      ['b1,c', false],
      ['b1, a', true],
    ] as const)
      expect(send(allowed, { foo }), JSON.stringify(foo)).toBe(expected);
    expect(send('allowed_parameters = { foo = [["a", "c"]] }', { foo: ['a', 'c'] })).toBe(true);
    expect(send('allowed_parameters = { foo = ["a, c"] }', { foo: 'a, c' })).toBe(true);
    const denied = 'denied_parameters = { foo = ["a", "b*", 3, true] }';
    for (const [foo, expected] of [
      [['c', 'a'], false],
      [['c', 'b1'], false],
      ['c, b1', false],
      [['c'], true],
      ['c,d', true],
      [[], true],
      // As an engine would read them.
      [' a', false],
      [[' a'], false],
      ['A', false],
      ['c,A', false],
      ['3', false],
      ['c,+3', false],
      [1, false],
      ['T', false],
      ['4', true],
    ] as const)
      expect(send(denied, { foo }), JSON.stringify(foo)).toBe(expected);
    const otherwise = 'denied_parameters = { foo = ["Admin*", "5", false] }';
    for (const [foo, expected] of [
      ['admin', false],
      ['ADMINS', false],
      [['x', 'admin'], false],
      ['+5', false],
      [5, false],
      ['', false],
      ['0', false],
      ['x', true],
    ] as const)
      expect(send(otherwise, { foo }), JSON.stringify(foo)).toBe(expected);
    for (const foo of [1, null, false, {}])
      expect(send('denied_parameters = { foo = ["*"] }', { foo })).toBe(false);
    expect(send('denied_parameters = { foo = [["a", "c"]] }', { foo: ['a', 'c'] })).toBe(false);
  });

  test('required ones must be present', () => {
    expect(send('required_parameters = ["foo"]', { foo: 1 })).toBe(true);
    expect(send('required_parameters = ["foo"]', {})).toBe(false);
    expect(send('required_parameters = ["foo"]', { FOO: 1 })).toBe(false);
    for (const foo of [null, '', ' , ', [], ['']])
      expect(send('required_parameters = ["foo"]', { foo }), JSON.stringify(foo)).toBe(false);
    for (const foo of [0, false, 'a', ['', 'a'], {}])
      expect(send('required_parameters = ["foo"]', { foo }), JSON.stringify(foo)).toBe(true);
  });

  test('of several policies are merged, and an empty list allows any value', () => {
    const other = (text: string) => `path "a" { capabilities = ["update"] ${text} }`;
    const one = 'allowed_parameters = { foo = ["a"] }';
    expect(send(one, { foo: 'b' }, other('allowed_parameters = { foo = ["b"] }'))).toBe(true);
    expect(send(one, { foo: 'c' }, other('allowed_parameters = { foo = ["b"] }'))).toBe(false);
    expect(send(one, { foo: 'c' }, other('allowed_parameters = { foo = [] }'))).toBe(true);
    expect(send(one, {}, other('required_parameters = ["foo"]'))).toBe(false);
  });

  test('the wrapping limits of a rule apply to the request', () => {
    const acl = aclOf('path "a" { policy = "read" min_wrapping_ttl = "1m" max_wrapping_ttl = "1h" }');
    const at = (wrapTtl?: number) =>
      acl.judge({ operation: 'read', path: 'a', ...(wrapTtl !== undefined && { wrapTtl }) }).allowed;
    expect([at(), at(59), at(60), at(3600), at(3601)]).toEqual([false, false, true, true, false]);
  });

  test('are refused if comparing them would take too long', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `*x${index}x*`);
    // Each spelling of a name is compared with all values.
    const spellings = Array.from({ length: 64 }, (_, index) =>
      Array.from('abcdef', (letter, bit) => ((index >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
    );
    const bodyOf = (names: readonly string[], value: string) =>
      Object.fromEntries(names.map((name) => [name, value]));
    const rules = (kind: string): string => `${kind}_parameters = { abcdef = ${JSON.stringify(values)} }`;
    expect(send(rules('allowed'), bodyOf(spellings.slice(0, 5), 'x9999x'))).toBe(true);
    expect(send(rules('allowed'), bodyOf(spellings, 'x9999x'))).toBe(false);
    expect(send(rules('denied'), bodyOf(spellings.slice(0, 5), 'other'))).toBe(true);
    expect(send(rules('denied'), bodyOf(spellings, 'other'))).toBe(false);
    // Long texts are searched.
    expect(send(rules('denied'), { abcdef: '-'.repeat(50) })).toBe(true);
    expect(send(rules('denied'), { abcdef: '-'.repeat(500) })).toBe(false);
    const pattern = `*${'a'.repeat(9999)}b*`;
    const search = `allowed_parameters = { abcdef = ["${pattern}"] }`;
    expect(send(search, { abcdef: pattern })).toBe(false);
    expect(send(search.replaceAll('aa', ''), { abcdef: `${'a'.repeat(50_000)}b` })).toBe(true);
    // Lists are compared value by value.
    const list = Array.from({ length: 149 }, () => []);
    const lists = Array.from({ length: 99 }, (_, last) => [...list, last]);
    const listed = `allowed_parameters = { abcdef = ${JSON.stringify(lists)} }`;
    const same = (count: number) =>
      Object.fromEntries(spellings.slice(0, count).map((name) => [name, [...list, 98]]));
    expect(send(listed, same(2))).toBe(true);
    expect(send(listed, same(3))).toBe(false);
  });

  test.each([
    ['short searches', '*a*', '\u6161'.repeat(200), 20, 60],
    ['long beginnings', `${'a'.repeat(999)}b*`, 'a'.repeat(1_000), 60, 100],
    ['long ends', `*b${'a'.repeat(999)}`, 'a'.repeat(1_000), 60, 100],
    ['long texts', `${'a'.repeat(999)}b`, 'a'.repeat(1_000), 60, 100],
  ])('are refused before comparing %s takes long', (_, pattern, value, few, many) => {
    const names = Array.from({ length: 100 }, (_each, index) =>
      Array.from('abcdefg', (letter, bit) => ((index >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
    );
    const body = Object.fromEntries(names.map((name) => [name, value]));
    /** Whether the body is allowed if its values equal the one after so many others. */
    const sendAfter = (others: number): boolean => {
      const values = [...Array.from({ length: others }, () => pattern), value];
      return send(`allowed_parameters = { abcdefg = ${JSON.stringify(values)} }`, body);
    };
    expect([sendAfter(few), sendAfter(many)]).toEqual([true, false]);
  });

  test('are refused before a text is divided into more values than can be compared', () => {
    const trim = vi.spyOn(String.prototype, 'trim');
    onTestFinished(() => trim.mockRestore());
    for (const rule of ['denied_parameters = { foo = ["x"] }', 'allowed_parameters = { foo = ["a*"] }']) {
      expect(send(rule, { foo: 'a,'.repeat(4_000) })).toBe(rule.startsWith('denied'));
      expect(send(rule, { foo: 'a,'.repeat(100_000) })).toBe(false);
    }
    expect(trim.mock.calls.length).toBeLessThan(50_000);
  });

  test('of ordinary size are compared with hundreds of values', () => {
    const patterns = (pattern: (name: string) => string) =>
      Array.from({ length: 400 }, (_, index) => pattern(`team-${index}-service`));
    const allowed = (values: readonly string[], value: string): boolean =>
      send(`allowed_parameters = { text = ${JSON.stringify([...values, '*zz'])} }`, { text: value });
    expect(
      allowed(
        patterns((name) => `*${name}*`),
        `${'a'.repeat(1_500)}zz`,
      ),
    ).toBe(true);
    expect(allowed(patterns((name) => `*${name}*`).slice(0, 40), `${'a'.repeat(16_000)}zz`)).toBe(true);
    for (const pattern of [
      (name: string) => name,
      (name: string) => `${name}*`,
      (name: string) => `*${name}`,
    ])
      expect(allowed(patterns(pattern), `${'a'.repeat(100_000)}zz`)).toBe(true);
  });

  test('are compared once for a body, however often it is judged', () => {
    const policy = (text: string) => `path "a" { capabilities = ["create", "update"] ${text} }`;
    const acl = aclOf(policy('allowed_parameters = { foo = ["*needle*"] }'));
    const changed = aclOf(policy('allowed_parameters = { foo = ["*other*"] }'));
    const [parameters, others] = [{ foo: 'a needle' }, { foo: 'nothing' }];
    using searches = vi.spyOn(String.prototype, 'includes');
    const judge = (by: typeof acl, operation: 'create' | 'update', body: typeof parameters): boolean =>
      by.judge({ operation, path: 'a', parameters: body }).allowed;
    for (const operation of ['update', 'create', 'update'] as const) {
      expect(judge(acl, operation, parameters)).toBe(true);
      expect(judge(acl, operation, others)).toBe(false);
    }
    expect(searches.mock.calls.filter(([text]) => text === 'needle')).toHaveLength(2);
    // Changed policies are compared again.
    expect(judge(changed, 'update', parameters)).toBe(false);
  });
});

describe('finding mounts to show', () => {
  test.each([
    ['secret/*', true],
    ['*', true],
    ['secret/data/a', true],
    ['+/data/*', true],
    ['+/data', true],
    ['sec*', true],
    ['+', true],
    ['other/*', false],
    ['other/+/x', false],
  ])('%s reaches below secret/: %s', (pattern, reached) => {
    expect(aclOf(rule(pattern, 'read')).mayReach('secret/')).toBe(reached);
    expect(aclOf(rule(pattern, 'deny')).mayReach('secret/')).toBe(false);
  });

  test('grants below one of many folders are found', () => {
    const rules = Array.from({ length: 300 }, (_, index) =>
      rule(`m${index}/data/${index % 2 === 0 ? 'x*' : 'x'}`, index % 3 === 0 ? 'deny' : 'read'),
    );
    const acl = aclOf(...rules);
    for (let index = 0; index < 300; index += 1)
      expect([index, acl.mayReach(`m${index}/`)]).toEqual([index, index % 3 !== 0]);
    for (const folder of ['a/', 'm/', 'm300/', 'z/']) expect(acl.mayReach(folder)).toBe(false);
  });
});

describe('policies of the roles', () => {
  const acl = (role: string) => aclOf(initialPolicies[role] ?? '', initialPolicies['default'] ?? '');

  test('an operator can write secrets in any mount, and nothing else', () => {
    const operator = acl('operator');
    for (const mount of ['secret', 'team/kv']) {
      for (const operation of ['create', 'read', 'update', 'patch', 'delete'] as const)
        expect(may(operator, operation, `${mount}/data/a/b`)).toBe(true);
      expect(may(operator, 'list', `${mount}/metadata/`)).toBe(true);
      expect(may(operator, 'list', `${mount}/metadata/a/`)).toBe(true);
      expect(may(operator, 'update', `${mount}/destroy/a`)).toBe(true);
      expect(may(operator, 'update', `${mount}/config`)).toBe(false);
    }
    for (const path of [
      'sys/mounts/data/x',
      'sys/policies/acl/x',
      'sys/mounts',
      'auth/token/create',
      'sys/policies/data/x',
    ])
      expect(operator.capabilities(path)).toEqual(['deny']);
    expect(operator.capabilities('auth/token/lookup-self')).toEqual(['read']);
  });

  /** Path segments that key-value and cloud engines use for their own routes. */
  const engineWords =
    'config config/lease config/root data data/a metadata metadata/a roles roles/a creds/a sts/a delete/a undelete/a destroy/a subkeys/a configuration rolesfor'.split(
      ' ',
    );

  test.each(['secret', 'team/kv'])('secrets in %s can have the names of engine paths', (mount) => {
    const [operator, reader] = [acl('operator'), acl('read-only')];
    for (const name of engineWords) {
      const all = ['create', 'delete', 'patch', 'read', 'update'];
      expect([name, ...operator.capabilities(`${mount}/data/${name}`)]).toEqual([name, ...all]);
      expect([name, ...operator.capabilities(`${mount}/metadata/${name}`)]).toEqual([
        name,
        ...all.toSpliced(2, 0, 'list'),
      ]);
      for (const action of ['delete', 'undelete', 'destroy'])
        expect([name, may(operator, 'update', `${mount}/${action}/${name}`)]).toEqual([name, true]);
      expect([name, ...reader.capabilities(`${mount}/data/${name}`)]).toEqual([name, 'read']);
      expect([name, ...reader.capabilities(`${mount}/metadata/${name}/`)]).toEqual([name, 'list', 'read']);
      for (const who of [operator, reader])
        expect([name, may(who, 'read', `${mount}/subkeys/${name}`)]).toEqual([name, true]);
    }
  });

  test.each(['aws', 'team/aws'])(
    "an operator can issue credentials in %s, whatever the role's name",
    (mount) => {
      const operator = acl('operator');
      for (const name of ['config', 'roles', 'metadata', 'a']) {
        for (const path of ['creds', 'sts'])
          expect(may(operator, 'update', `${mount}/${path}/${name}`)).toBe(true);
        expect([name, may(operator, 'read', `${mount}/roles/${name}`)]).toEqual([name, true]);
      }
      expect(operator.capabilities(`${mount}/config/lease`)).toEqual(['read']);
      expect(operator.capabilities(`${mount}/config/root`)).toEqual(['deny']);
      expect(operator.capabilities(`${mount}/roles/`)).toEqual(['list']);
    },
  );

  test('read-only users can read and list', () => {
    const reader = acl('read-only');
    expect(reader.capabilities('secret/data/a')).toEqual(['read']);
    expect(reader.capabilities('secret/metadata/a/')).toEqual(['list', 'read']);
    expect(reader.capabilities('secret/destroy/a')).toEqual(['deny']);
  });
});

test('agrees with a simple implementation of the rules', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
  const pattern = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'ab', '+'), { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([all, star]) => all.join('/') + (star && all.at(-1) !== '+' ? '*' : ''));
  const words = fc.subarray(['read', 'list', 'update', 'sudo'], { minLength: 1 });
  const rules = fc.array(fc.record({ pattern, words, deny: fc.nat(9).map((n) => n === 0) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(rules, fc.array(path, { minLength: 4, maxLength: 8 }), (listed, paths) => {
      const acl = aclOf(...listed.map((each) => rule(each.pattern, ...(each.deny ? ['deny'] : each.words))));
      const parsed = listed.flatMap(
        (each) => parsePolicy('p', rule(each.pattern, ...(each.deny ? ['deny'] : each.words))).rules,
      );
      for (const each of paths) expect([each, acl.capabilities(each)]).toEqual([each, plainly(parsed, each)]);
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 20_000 : 300 },
  );
});

/** Applies the documented rules one by one, without optimization. */
function plainly(rules: readonly PathRule[], path: string): string[] {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const candidates =
    [path, bare].flatMap((each) => {
      const same = rules.filter((one) => one.pattern === each && !/\+/.test(each));
      return same.length === 0 ? [] : [same];
    })[0] ??
    mostSpecific(rules, bare) ??
    mostSpecific(rules, path) ??
    [];
  const bits = candidates.reduce((all, one) => all | one.capabilities, 0);
  return capabilityWords((bits & capabilityBits.deny) === 0 ? bits : capabilityBits.deny);
}

function mostSpecific(rules: readonly PathRule[], path: string): PathRule[] | undefined {
  const wild = rules.filter(({ pattern }) => /[+*]/.test(pattern) && expression(pattern).test(path));
  const best = wild.toSorted((one, other) => rank(other.pattern, one.pattern))[0];
  return best && wild.filter(({ pattern }) => pattern === best.pattern);
}

function expression(pattern: string): RegExp {
  const segments = pattern
    .replace(/\*$/, '')
    .split('/')
    .map((segment) => (segment === '+' ? '[^/]*' : segment));
  return new RegExp(`^${segments.join('/')}${pattern.endsWith('*') ? '.*' : ''}$`, 's');
}

/** Positive if the first pattern takes precedence. */
function rank(one: string, other: string): number {
  const measure = (pattern: string): number[] => [
    pattern.search(/[+*]/),
    pattern.endsWith('*') ? 0 : 1,
    -pattern.split('/').filter((segment) => segment === '+').length,
    pattern.replace(/\*$/, '').length,
  ];
  const [first, second] = [measure(one), measure(other)];
  for (const [index, value] of first.entries()) {
    const difference = value - (second[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one > other ? 1 : one < other ? -1 : 0;
}
