import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { BadArchive } from './bad-archive.ts';
import { contentReader } from './content-reader.ts';
import type { ArchiveFiles } from './files.ts';
import { archiveBounds, passArchive } from './read-archive.ts';
import { tar, type TestEntry } from './testing/archives.ts';

/** Archives in shapes that people publish, written by hand. */

const reader = contentReader();
afterAll(() => reader.close());

/** The content shown for an archive, or why it is refused. */
async function shown(entries: readonly TestEntry[]) {
  const bytes = gzipSync(tar(entries));
  let files: ArchiveFiles = { texts: new Map(), unread: new Map() };
  const body = async function* () {
    yield bytes;
  };
  try {
    for await (const _ of passArchive(body(), archiveBounds, (found) => {
      files = found;
    }));
  } catch (error) {
    if (error instanceof BadArchive) return error.message;
    throw error;
  }
  const { root, submodules, examples, problems } = await reader.inTurn('ada', () => reader.read(files));
  return {
    inputs: root.inputs.map(({ name }) => name),
    outputs: root.outputs.map(({ name }) => name),
    readme: root.readme.length,
    below: [...submodules, ...examples].map(({ path, inputs }) => `${path} ${inputs.length}`),
    problems: problems.map(({ path }) => path),
    root,
  };
}

const inputs = (count: number, from = 0, lines = 1): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `variable "v${from + at}" {\n  type = string\n  description = <<-EOT\n${'    Words about it that are long enough.\n'.repeat(lines)}  EOT\n}\n`,
  ).join('');
const file = (name: string, body: string | Uint8Array = ''): TestEntry => ({ name, body });
const output = 'output "id" {\n  value = 1\n}\n';

test('reads all 145 inputs of a root at the end of an archive, after megabytes of submodules', async () => {
  const submodules = Array.from({ length: 20 }, (_, at) =>
    file(`modules/m${at}/variables.tf`, inputs(145, 0, 20)),
  );
  const found = await shown([
    ...submodules,
    file('outputs.tf', output),
    file('variables.tf', inputs(145, 0, 20)),
  ]);
  expect(found).toMatchObject({
    inputs: expect.objectContaining({ length: 145 }) as unknown,
    outputs: ['id'],
  });
  if (typeof found === 'string') throw new Error(found);
  // Submodules that don't fit are reported as problems.
  expect(found.below.filter((one) => one.endsWith(' 145')).length + found.problems.length).toBe(20);
});

test.each<[shape: string, entries: readonly TestEntry[], expected: object | string]>([
  [
    'submodules alone',
    [
      file('README.md', '# IAM'),
      file('modules/role/main.tf', inputs(2)),
      file('modules/user/main.tf', inputs(1)),
    ],
    { inputs: [], readme: 5, below: ['modules/role 2', 'modules/user 1'], problems: [] },
  ],
  [
    'a README of 136 kB',
    [file('README.md', `# AKS\n${'| a | b |\n'.repeat(13_600)}`), file('main.tf', inputs(1))],
    { inputs: ['v0'], readme: 136_006, problems: [] },
  ],
  [
    'an archive of a Mac',
    [
      file('./._main.tf', Buffer.from([0, 5, 22, 7, 0, 2, 0, 0])),
      file('./main.tf', inputs(1)),
      file('./.DS_Store', Buffer.from([0, 0, 0, 1])),
      file('__MACOSX/._main.tf', Buffer.from([0, 5, 22, 7])),
      file('./.terraform.lock.hcl', 'provider "x" {}'),
      file('./main.tf~', 'variable "old" {}'),
      file('./#main.tf#', 'variable "old" {}'),
    ],
    { inputs: ['v0'], problems: [] },
  ],
  [
    'JSON syntax, with comments',
    [
      file(
        'main.tf.json',
        '{"//":"made by a program","variable":{"a":[{"//":"x","type":"string","default":9007199254740993}]},"output":{"id":{"value":"${var.a}"}}}',
      ),
    ],
    { inputs: ['a'], outputs: ['id'], problems: [] },
  ],
  [
    'overrides',
    [
      file('a_override.tf', 'variable "v0" {\n  sensitive = true\n}\n'),
      file('override.tf.json', '{"variable":{"v0":{"default":"x"}}}'),
      file('main.tf', inputs(1)),
    ],
    { inputs: ['v0'], root: { inputs: [{ type: 'string', sensitive: true, default: '"x"' }] }, problems: [] },
  ],
  [
    'lines and a beginning as Windows writes them',
    [file('main.tf', `\uFEFF${inputs(2).replaceAll('\n', '\r\n')}`), file('README.md', '\uFEFF# Net\r\n')],
    { inputs: ['v0', 'v1'], problems: [] },
  ],
  [
    'comments that are no UTF-8',
    [file('main.tf', Buffer.concat([Buffer.from('# caf\xe9\n', 'latin1'), Buffer.from(inputs(1))]))],
    { inputs: ['v0'], problems: [] },
  ],
  [
    'tests, workflows and values beside the module',
    [
      file('.github/workflows/ci.yml', 'on: push'),
      file('tests/unit.tftest.hcl', 'run "a" {}'),
      file('tests/setup/main.tf', inputs(3)),
      file('terraform.tfvars', 'v0 = 1'),
      file('wrappers/main.tf', inputs(3)),
      file('main.tf', inputs(1)),
      file('examples/small/main.tf', inputs(1)),
      file('examples/small/nested/main.tf', inputs(2)),
      file('modules/a/examples/b/main.tf', inputs(2)),
    ],
    {
      inputs: ['v0'],
      below: ['modules/a/examples/b 2', 'examples/small 1', 'examples/small/nested 2'],
      problems: [],
    },
  ],
  [
    'one file that is broken beside others',
    [file('main.tf', inputs(1)), file('broken.tf', 'variable "x" {'), file('outputs.tf', output)],
    { inputs: ['v0'], outputs: ['id'], problems: ['broken.tf'] },
  ],
  [
    'files of the root that are symbolic links, which Terraform unpacks as empty ones',
    [file('modules/a/main.tf', inputs(1)), { name: 'main.tf', type: '2', target: 'modules/a/main.tf' }],
    'main.tf is a link',
  ],
])('%s', async (_shape, entries, expected) => {
  const found = await shown(entries);
  if (typeof found === 'string') expect(found).toContain(expected);
  else expect(found).toMatchObject(expected as object);
});
