import { describe, expect, test } from 'vitest';
import { metadataAsCode } from './metadata-as-code.ts';
import { metadataChanges, metadataForm } from './metadata-form.ts';

const fields = (custom_metadata: Record<string, string>, rest: object = {}) => ({
  max_versions: 0,
  cas_required: false,
  delete_version_after: '0s',
  custom_metadata,
  ...rest,
});

describe('the metadata form', () => {
  const messages = (custom: Record<string, string>) =>
    metadataForm.schema.safeParse(fields(custom)).error?.issues.map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));

  test("shows a key's problem at its field", () => {
    expect(messages({ owner: 'ana' })).toBeUndefined();
    expect(messages({ 'a.b': '' })).toEqual([
      { path: 'custom_metadata', message: 'a.b: A value must be 1 to 512 bytes long.' },
      { path: 'custom_metadata', message: 'a.b: A value can only contain printable characters.' },
    ]);
    expect(messages({ owner: '1', 'owner\u00007': '2' })).toEqual([
      { path: 'custom_metadata', message: 'The key "owner" appears more than once.' },
    ]);
    expect(messages({ '': 'x' })?.[0]?.message).toBe('Enter a key for each value.');
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${String(index)}`, 'v']));
    expect(messages(many)?.[0]?.message).toBe('There can be up to 64 keys.');
  });

  test('sends only changed fields and keys', () => {
    const before = fields({ owner: 'ana', team: 'a', 'x.y': '1' }, { max_versions: 3 });
    const after = fields({ owner: 'bo', 'x.y': '1', new: 'n' }, { max_versions: 3, cas_required: true });
    expect(metadataChanges(before, after)).toEqual({
      cas_required: true,
      custom_metadata: { owner: 'bo', team: null, new: 'n' },
    });
    expect(metadataChanges(before, before)).toEqual({});
  });

  test('quotes characters for the shell in commands', () => {
    const code = metadataAsCode(
      { mount: 'secret', path: 'my app/db' },
      fields({ gone: '1' }),
      fields({ 'the owner': "it's" }, { max_versions: 5 }),
    );
    expect(code.cli).toBe(
      [
        'vault kv metadata patch \\',
        '  -max-versions=5 \\',
        '  -remove-custom-metadata=gone \\',
        String.raw`  -custom-metadata='the owner=it'\''s' \\`.slice(0, -1),
        "  -mount=secret 'my app/db'",
      ].join('\n'),
    );
    expect(code.http).toContain('/v1/secret/metadata/my%20app/db');
    expect(code.http).toContain('application/merge-patch+json');
  });
});
