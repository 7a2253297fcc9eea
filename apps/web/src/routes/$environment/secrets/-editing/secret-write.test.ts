import { expect, test } from 'vitest';
import { argument } from '#components/form/as-code.ts';
import { unseen, unseenIn, unseenValues, valuesOfData } from '../-fields/secret-values.ts';
import { secretAsCode } from './secret-as-code.ts';
import { patchBetween, sameMembers, wholeText } from './secret-write.ts';
import { withRemoved } from './SecretFieldsInput.tsx';

const place = { environment: 'local', mount: 'team/kv', path: 'app/my db' };

test("the editor's exact text is stored if it matches the form", () => {
  const values = valuesOfData('{"a":1,"b":2}');
  const exact = '{ "a": 0, "a": 1,\n "b": 2 }';
  expect(wholeText(values, exact)).toBe(exact);
  expect(wholeText(valuesOfData('{"a":1,"b":3}'), exact)).toBe('{"a":1,"b":3}');
  expect(wholeText(values, null)).toBe('{"a":1,"b":2}');
  expect(sameMembers(exact, '{"a":1,"b":2}')).toBe(false);
});

test("values that weren't read stay unchanged, and others are set or removed", () => {
  const structure = '{"a":null,"b":null,"c":null,"db":{"host":null,"port":null}}';
  const before = unseenValues(structure);
  const after = { data: { a: '"new"', b: unseen, d: unseenIn('7'), e: '1', db: '{"host":"x"}' } };
  expect(patchBetween(before, after, { structure })).toEqual({
    text: '{"c":null,"a":"new","e":1,"db":{"port":null,"host":"x"}}',
  });
  // A part that was revealed is compared, not sent again.
  const revealed = { data: { ...before.data, a: '"old"' } };
  expect(patchBetween(revealed, { data: { ...before.data, a: '"old"' } }, { structure })).toEqual({
    text: '{}',
  });
});

test.each(['null', '{"host":null}', '{"host":"x","port":null}'])(
  'a patch that would set the hidden value to %s is refused, because null removes',
  (text) => {
    const structure = '{"db":{"host":null,"port":null},"other":null}';
    const before = unseenValues(structure);
    expect(patchBetween(before, { data: { ...before.data, db: text } }, { structure })).toHaveProperty(
      'reason',
    );
    expect(patchBetween(before, { data: { ...before.data, new: text } }, { structure })).toHaveProperty(
      'reason',
    );
  },
);

test('a user who types the names removes fields with null', () => {
  expect(patchBetween({ data: {} }, { data: { a: 'null', b: '"x"' } }, { isBlind: true })).toEqual({
    text: '{"a":null,"b":"x"}',
  });
});

test("a patch is computed from the form's fields", () => {
  expect(patchBetween(valuesOfData('{"a":1,"b":2}'), valuesOfData('{"a":1,"c":3}'))).toEqual({
    text: '{"b":null,"c":3}',
  });
});

test('commands contain names and no values', () => {
  const before = valuesOfData('{"user":"secret-user","old":"secret-old"}');
  const after = valuesOfData('{"user":"secret-user","password":"it is secret"}');
  const patch = secretAsCode({ place, mode: 'patch', cas: '3', before, after });
  expect(patch.cli).toBe(
    [
      'vault kv patch -mount=team/kv -cas=3 \\',
      '  -remove-data=old \\',
      "  'app/my db' \\",
      "  password='<password>'",
    ].join('\n'),
  );
  expect(patch.http).toContain('--request PATCH "$VAULT_ADDR/v1/team/kv/data/app/my%20db"');
  expect(patch.http).toContain('application/merge-patch+json');
  const whole = secretAsCode({ place, mode: 'whole', cas: '3', before, after });
  expect(whole.cli).toContain('vault kv put -mount=team/kv -cas=3');
  expect(whole.terraform).toContain('password = var.my_db_password');
  const dashed = secretAsCode({ place: { ...place, path: '-dash' }, mode: 'patch', cas: '3', before, after });
  expect(dashed.cli).toContain("\n  -- -dash \\\n  password='<password>'");
  const blind = secretAsCode({ place, mode: 'patch', cas: '3', isBlind: true, before: { data: {} }, after });
  expect(blind.cli).toContain('vault kv patch -mount=team/kv -cas=3');
  expect(blind.terraform).toBeUndefined();
  for (const text of [...Object.values(patch), ...Object.values(whole)])
    expect(text).not.toContain('secret-');
});

test.each([
  'back\\slash',
  'C:\\a b',
  `it's "$x"`,
  '`!x!`',
  '100%2F',
  '-dash',
  '日本 \u202e',
  '{{a}}*[0]?#',
  ' both ',
])('commands quote the name %j so that a shell and a server read it back', (name) => {
  const { cli, http } = secretAsCode({
    place: { ...place, path: name },
    mode: 'whole',
    cas: '0',
    before: { data: {} },
    after: valuesOfData('{"a":"b"}'),
  });
  const [, path = ''] = /\/data\/([^"!$`\\]*)"/.exec(http) ?? [];
  expect(decodeURIComponent(path)).toBe(name);
  if (name === name.trim()) expect(cli).toContain(`\n  ${argument(name)} `);
  else expect(cli).toBeUndefined();
});

test("a value that isn't a string, or a name that the CLI would split, is passed as JSON", () => {
  for (const data of ['{"port":5432}', '{"a=b":"x"}', '{"-x":"y"}']) {
    const { cli } = secretAsCode({
      place,
      mode: 'whole',
      cas: '0',
      before: { data: {} },
      after: valuesOfData(data),
    });
    expect(cli).toContain("- <<'JSON'");
  }
});

test('a removed field stays in place until it is saved', () => {
  expect(withRemoved(['b', 'new'], ['a', 'b', 'c'])).toEqual(['a', 'b', 'c', 'new']);
  expect(withRemoved([], ['a', 'b'])).toEqual(['a', 'b']);
});
