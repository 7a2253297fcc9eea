import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { builtinVersion } from '../../plugins/builtins.ts';
import { as, tokenWith } from '../../testing/people.ts';
import { enveloped, recording, refused, replay, sendTo } from '../../testing/replay.ts';
import type { Difference, RecordedAnswer } from '../../testing/replay.ts';
import { startServer } from '../../testing/server.ts';

const file = 'openbao-plugin-secrets-aws';
const content = 'a plugin';
const sha256 = createHash('sha256').update(content).digest('hex');

/** An entry of the catalog. */
const row = (type: string, name: string, version: string) =>
  version === builtinVersion
    ? { builtin: true, deprecation_status: 'supported', name, type, version }
    : { builtin: false, name, sha256, type, version };

/** The catalog with further secrets engines. */
function catalogOf(
  secret: readonly string[],
  versions: readonly (readonly [name: string, version: string])[],
): RecordedAnswer {
  return enveloped({
    auth: ['token', 'userpass'],
    database: [],
    secret,
    detailed: [
      row('auth', 'token', builtinVersion),
      row('auth', 'userpass', builtinVersion),
      row('secret', 'cloud', builtinVersion),
      ...versions.map(([name, version]) => row('secret', name, version)),
    ],
  });
}

const otherEngines = 'other engines are built in';
const noSuchType = 'a type that does not exist is refused, and nothing is kept under it';
const callersMistake = "a mistake of the caller's is a 400 with the same message";
const mine = ['', 'v1.2.0', 'v1.2.3'].map((version) => ['mine', version] as const);
const differences: Readonly<Record<number, Difference>> = {
  0: { why: otherEngines, answer: catalogOf(['cloud', 'kv'], [['kv', builtinVersion]]) },
  2: { why: otherEngines, answer: enveloped({ keys: ['cloud', 'kv'] }) },
  3: { why: otherEngines, answer: enveloped({ keys: ['token', 'userpass'] }) },
  4: { why: 'there are no database plugins, and an empty list is a 404', answer: refused(404) },
  8: { why: noSuchType, answer: refused(400, '"bogus" is not a supported plugin type') },
  15: {
    why: callersMistake,
    answer: refused(
      400,
      'error while validating the command path: lstat <plugin_directory>/nofile: no such file or directory',
    ),
  },
  16: { why: callersMistake, answer: refused(400, 'path cannot contain parent references') },
  21: { why: noSuchType, answer: refused(400, '"bogus" is not a supported plugin type') },
  23: {
    why: 'a member that the catalog does not know is warned of',
    answer: enveloped(null, ['Endpoint ignored these unrecognized parameters: [unknown]']),
  },
  25: { why: otherEngines, answer: enveloped({ keys: ['cloud', 'kv', 'mine'] }) },
  31: { why: otherEngines, answer: enveloped({ keys: ['cloud', 'kv', 'mine'] }) },
  32: {
    why: otherEngines,
    answer: catalogOf(['cloud', 'kv', 'mine'], [['kv', builtinVersion], ...mine]),
  },
  35: { why: otherEngines, answer: catalogOf(['cloud', 'kv', 'mine'], [['kv', ''], ...mine]) },
  47: {
    why: 'no external plugin is run',
    answer: refused(
      400,
      `unsupported: plugin "${file}" v1.0.0 cannot run: its file matches the registration, but this server runs no external plugins`,
    ),
  },
  48: {
    why: 'so nothing was mounted',
    answer: refused(400, 'No secret engine mount at cloud/'),
  },
  49: {
    why: 'so no mount is of the plugin, which Vault says as well',
    answer: enveloped({ reload_id: '<uuid>' }, ['no plugins were reloaded']),
  },
  50: { why: 'so there is no such mount', answer: refused(400, 'no matching mount entry at "cloud/"') },
};

test('answers the requests about plugins recorded with OpenBao the same way, except for the listed differences', async () => {
  using folder = temporaryFolder();
  const directory = folder.file('plugins');
  mkdirSync(directory);
  writeFileSync(join(directory, file), content);
  await using server = await startServer({ pluginDirectory: directory });
  const admin = await as(server, 'administrator');
  const token = await tokenWith(admin, { policies: ['administrator'] });
  const mismatches = await replay({
    requests: recording('plugins-and-cloud'),
    from: 0,
    to: 51,
    send: sendTo(server.url),
    token,
    fill: { '<sha256>': sha256, '<plugin_directory>': directory },
    renamed: { 'v2.6.2+builtin.bao': builtinVersion },
    added: ['state', 'state_reason', 'file'],
    differences,
  });
  expect(mismatches).toEqual([]);
});
