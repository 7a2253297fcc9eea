/** Odd names that the server accepts and lists, in every operation of the console. */
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { linesOf, secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

const names = [
  'back\\slash',
  '\\',
  'C:\\keys\\db',
  ' leading',
  'trailing ',
  'two trailing  ',
  '  both  ',
  'in  side',
  ' ',
  'no-break space at the end\u00a0',
  'ideographic space at the end\u3000',
  '%',
  '100%',
  '%2F',
  '%5C',
  '%20 ',
  '%2e%2e',
  '+',
  'a+b c',
  '?version=2',
  '#fragment',
  'semi;colon',
  `it's`,
  '"quoted"',
  '`back`tick`',
  'caf\u00e9',
  'cafe\u0301',
  '👩🏽‍🚀',
  '\ufb00',
  'right\u200fto\u202eleft',
  'zero\u200bwidth\ufeff',
  '日本 語',
  'x'.repeat(1000),
  'dot.in.name',
  'trailing.',
  '...',
  '-dash',
  '--help',
  'data',
  'metadata',
  'config',
  'delete',
  '__proto__',
  'UPPER',
  'upper',
  '*',
  '{{identity}}',
  '~tilde',
  'colon:',
  'a,b',
  'k=v&w',
  '[0]',
  '<b>|$^!@()',
  '\u0085next line',
];

let secrets: SecretsConsole;
let admin: Browser;

beforeAll(async () => {
  secrets = await startSecrets();
  admin = await secrets.signedIn();
  await confirmAs(admin, testPassword);
  for (const mount of ['odd', 'all', 'imported'])
    await secrets.direct.write(`sys/mounts/${mount}`, { type: 'kv', options: { version: '2' } });
  for (const name of names) {
    await secrets.direct.write(`all/data/${encodeURIComponent(name)}`, { data: { name } });
    await secrets.direct.write(`all/data/${encodeURIComponent(name)}/below`, { data: { name } });
  }
});
afterAll(() => secrets[Symbol.asyncDispose]());

const folder = (mount: string, path = '', more = '') =>
  admin.send('GET', `${secretsApi}/mounts/${mount}/folder?path=${encodeURIComponent(path)}${more}`);
const metadataAt = (path: string) => `${secretsApi}/mounts/odd/metadata/${encodeURIComponent(path)}`;
const pathsOf = (lines: Record<string, unknown>[], kind: string) =>
  lines.filter((line) => line['kind'] === kind).map(({ path }) => path);

describe.each([
  ['a secret', ''],
  ['a folder', '/below'],
])('as the name of %s', (_, below) => {
  test.each(names.map((name) => [`${name}${below}`]))('%j works like an ordinary one', async (path) => {
    // Enough time for another comparison and confirmation.
    secrets.console.clock.advance(10_000);
    const at = (more = '') => secretAt(path, more, 'odd');
    /** Sends a request and expects success. */
    const ask = async (method: string, url: string, revision?: string, body?: object) => {
      const answer = await admin.send(method, url, {
        ...(revision !== undefined && { revision }),
        ...(body !== undefined && { body }),
      });
      expect(answer.status, `${method} ${answer.text}`).toBeLessThan(300);
      return answer.json;
    };
    await ask('POST', at(), undefined, { data: '{"a":"first"}' });
    const [name = ''] = path.split('/below');
    expect((await folder('odd')).json['items']).toContainEqual({ name, path: name, folder: below !== '' });
    const seen = await ask('GET', at());
    expect(seen).toMatchObject({ path, revision: '1', version: { structure: '{"a":null}' } });
    // For a path that ends in white space the server reports no rights, so no action is withheld.
    if (path === path.trimEnd()) expect(seen['may']).toMatchObject({ read: true, update: true });
    else expect(seen['may']).toBeNull();
    await ask('PUT', at(), '1', { data: '{"a":"second"}' });
    await ask('PATCH', at(), '2', { data: '{"b":1}' });
    expect(await ask('POST', at('/reveal'), undefined, {})).toMatchObject({ data: '{"a":"second","b":1}' });
    expect(await ask('GET', `${at()}?version=1`)).toMatchObject({ version: { version: 1 } });
    expect(await ask('POST', at('/compare'), undefined, { value: 'first' })).toMatchObject({
      matches: [{ version: 1 }],
    });
    const stored = await ask('GET', metadataAt(path));
    expect(stored).toMatchObject({ path, current_version: 3 });
    await ask('PATCH', metadataAt(path), String(stored['revision']), { custom_metadata: { owner: 'me' } });
    await ask('DELETE', at(), '3');
    const bin = linesOf(await admin.send('GET', `${secretsApi}/mounts/odd/recycle-bin`));
    expect(pathsOf(bin, 'deleted')).toEqual([path]);
    await ask('POST', at('/undelete'), undefined, { versions: [3] });
    await ask('POST', at('/delete-versions'), undefined, { versions: [2] });
    await ask('POST', at('/destroy'), undefined, { versions: [2] });
    await ask('POST', at('/restore'), '3', { version: 1 });
    expect(
      await ask('GET', `${secretsApi}/mounts/odd/capabilities?path=${encodeURIComponent(path)}`),
    ).toMatchObject({ may: { list: true, create: true } });
    for (const [mode, from, to] of [
      ['copy', path, `copy/${path}`],
      ['move', `copy/${path}`, `moved/${path}`],
    ]) {
      const lines = linesOf(
        await admin.send('POST', `${secretsApi}/transfer`, {
          body: {
            kind: 'secret',
            mode,
            versions: 'all',
            from: { mount: 'odd', path: from },
            to: { mount: 'odd', path: to },
          },
        }),
      );
      expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ kind: 'end', outcome: 'done' });
    }
    await ask('POST', at('/delete-forever'), '4');
    expect((await admin.send('GET', at())).json).toMatchObject({ code: 'not-found' });
  });
});

test('the server decides about a path that ends in white space, not the rights of the trimmed path', async () => {
  const reader = await secrets.withPolicy('spaced', 'path "all/data/trailing " { capabilities = ["read"] }');
  const seen = await reader.send('GET', secretAt('trailing ', '', 'all'));
  expect(seen.json, seen.text).toMatchObject({ may: null, version: { structure: '{"name":null}' } });
  expect((await reader.send('POST', secretAt('trailing ', '/reveal', 'all'), { body: {} })).status).toBe(200);
  const refused = await reader.send('PUT', secretAt('trailing ', '', 'all'), {
    revision: '1',
    body: { data: '{}' },
  });
  expect(refused.json).toMatchObject({ code: 'forbidden' });
});

describe('in an engine full of them', () => {
  const everyPath = names.flatMap((name) => [name, `${name}/below`]);

  test('every name is listed, also one page at a time', async () => {
    const all = (await folder('all')).json;
    expect(all['total']).toBe(names.length * 2);
    const paged: unknown[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await folder('all', '', `&page_size=1&after=${encodeURIComponent(after)}`);
      paged.push(...(page.json['items'] as unknown[]));
      after = page.json['next_after'] as string | undefined;
    }
    expect(paged).toEqual(all['items']);
    for (const name of names)
      expect((await folder('all', name)).json['items']).toMatchObject([{ path: `${name}/below` }]);
  });

  test('a search covers everything, and finds the text', async () => {
    const search = async (text: string) =>
      linesOf(await admin.send('GET', `${secretsApi}/mounts/all/search?text=${encodeURIComponent(text)}`));
    const found = await search('below');
    expect(new Set(pathsOf(found, 'match'))).toEqual(new Set(names.map((name) => `${name}/below`)));
    expect(found.at(-1)).toMatchObject({ kind: 'end', secrets: everyPath.length, denied: 0 });
    expect(pathsOf(await search('C:\\keys'), 'match')).toEqual([
      'C:\\keys\\db',
      'C:\\keys\\db',
      'C:\\keys\\db/below',
    ]);
  });

  test('an export contains every secret, and its import writes them unchanged', async () => {
    const exported = linesOf(
      await admin.send('POST', `${secretsApi}/mounts/all/export`, { body: { folders: [''] } }),
    );
    expect(exported.at(-1)).toEqual({ kind: 'end', secrets: everyPath.length, skipped: 0 });
    expect(new Set(pathsOf(exported, 'secret'))).toEqual(new Set(everyPath));
    const entries = exported
      .filter(({ kind }) => kind === 'secret')
      .map(({ path, data }) => ({ path, data }));
    const into = `${secretsApi}/mounts/imported`;
    const preview = await admin.send('POST', `${into}/import-preview`, { body: { entries } });
    expect(preview.json['items'], preview.text).toEqual(
      entries.map(({ path }) => expect.objectContaining({ path, change: 'create', revision: '0' })),
    );
    const lines = linesOf(
      await admin.send('POST', `${into}/import`, {
        body: { entries: entries.map((entry) => ({ ...entry, revision: '0' })) },
      }),
    );
    expect(lines.at(-1), JSON.stringify(lines.slice(-3))).toMatchObject({
      outcome: 'done',
      written: everyPath.length,
    });
    expect((await folder('imported')).json).toEqual((await folder('all')).json);
  });

  test('a folder is copied completely', async () => {
    const lines = linesOf(
      await admin.send('POST', `${secretsApi}/transfer`, {
        body: {
          kind: 'folder',
          mode: 'copy',
          versions: 'all',
          from: { mount: 'all', path: 'C:\\keys\\db' },
          to: { mount: 'odd', path: 'ends ' },
        },
      }),
    );
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'done', written: 1 });
    expect((await folder('odd', 'ends ')).json['items']).toMatchObject([{ path: 'ends /below' }]);
  });
});
