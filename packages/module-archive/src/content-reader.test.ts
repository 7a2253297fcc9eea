import { afterEach, expect, test } from 'vitest';
import { BadArchive, ReaderBusy } from './bad-archive.ts';
import { contentReader } from './content-reader.ts';
import type { ContentReader } from './content-reader.ts';
import { contentOf } from './content.ts';
import type { ArchiveFiles } from './files.ts';

let reader: ContentReader | undefined;
afterEach(async () => {
  await reader?.close();
  reader = undefined;
});

const filesOf = (texts: Readonly<Record<string, string>>): ArchiveFiles => ({
  texts: new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])),
  unread: new Map(),
});

/** Reads as one user. */
const read = (files: ArchiveFiles, person = 'ada', signal?: AbortSignal) => {
  const used = (reader ??= contentReader());
  return used.inTurn(person, () => used.read(files), signal);
};

const readme = { 'README.md': '# Net' };

test('reads inputs, outputs, requirements, dependencies and resources as written', async () => {
  const { root, problems } = await read(
    filesOf({
      ...readme,
      'README.txt': 'another',
      'main.tf': `
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
      configuration_aliases = [aws.dns, aws.eu]
    }
    random = "~> 3.0"
    own = {
      source = "registry.example.com/acme/own"
    }
  }
}
variable "size" {
  type        = object({ name = string, n = optional(number, 3) })
  description = <<-EOT
    Two
    lines
  EOT
}
variable "tags" {
  default = { b = [1, true, null], "a b" = "x \${y}" }
}
variable "text" {
  type      = string
  default   = "say \\"hi\\""
  sensitive = true
}
variable "nothing" {
  default = null
}
variable "open" {}
variable "checked" {
  nullable   = false
  ephemeral  = true
  deprecated = "Use size."
  validation {
    condition     = length(var.checked) > 3
    error_message = "Too short: $$\{checked}."
  }
  validation {
    condition     = can(regex("^x", var.checked))
    error_message = "Begins with x."
  }
}
output "id" {
  value       = aws_vpc.main.id
  description = "Its ID"
  ephemeral   = true
  deprecated  = "Use size."
}
module "dns" {
  source  = "acme/dns/aws"
  version = "1.2.0"
}
module "local" {
  source = "./modules/x"
}
resource "aws_vpc" "main" {
  count = 2
}
data "aws_region" "here" {}
`,
      'override.tf': 'variable "open" {\n  default = 1\n}\n',
      'more.tf.json': '{"variable": {"json": {"type": "string"}}, "resource": {"x_y": {"z": {}}}}',
    }),
  );
  expect(problems).toEqual([]);
  expect(root).toEqual({
    path: '',
    name: '',
    readme: '# Net',
    empty: false,
    required_version: '>= 1.5',
    inputs: expect.arrayContaining([
      {
        name: 'size',
        type: 'object({ name = string, n = optional(number, 3) })',
        description: 'Two\nlines\n',
        default: '',
        required: true,
        sensitive: false,
        ephemeral: false,
        nullable: true,
        deprecated: '',
        validations: [],
      },
      expect.objectContaining({
        name: 'checked',
        ephemeral: true,
        nullable: false,
        deprecated: 'Use size.',
        validations: [
          { condition: 'length(var.checked) > 3', message: 'Too short: ${checked}.' },
          { condition: 'can(regex("^x", var.checked))', message: 'Begins with x.' },
        ],
      }),
      expect.objectContaining({
        name: 'tags',
        required: false,
        default: '{ "a b" = "x ${y}", b = [1, true, null] }',
      }),
      expect.objectContaining({ name: 'text', type: 'string', default: '"say \\"hi\\""', sensitive: true }),
      expect.objectContaining({ name: 'nothing', required: false, default: 'null' }),
      expect.objectContaining({ name: 'open', type: '', required: false, default: '1' }),
      expect.objectContaining({ name: 'json', type: 'string', required: true }),
    ]),
    outputs: [
      { name: 'id', description: 'Its ID', sensitive: false, ephemeral: true, deprecated: 'Use size.' },
    ],
    dependencies: [{ name: 'dns', source: 'acme/dns/aws', version: '1.2.0' }],
    provider_dependencies: [
      {
        name: 'aws',
        namespace: 'hashicorp',
        source: 'hashicorp/aws',
        version: '~> 5.0',
        aliases: ['aws.dns', 'aws.eu'],
      },
      { name: 'own', namespace: 'acme', source: 'registry.example.com/acme/own', version: '', aliases: [] },
      { name: 'random', namespace: 'hashicorp', source: 'hashicorp/random', version: '~> 3.0', aliases: [] },
    ],
    resources: [
      { name: 'main', type: 'aws_vpc' },
      { name: 'z', type: 'x_y' },
    ],
  });
});

test('returns numbers as written', async () => {
  const numbers = [
    '9007199254740993',
    '1e400',
    '0.1000000000000000000001',
    '-12345678901234567890123',
    '1.5',
  ];
  const { root } = await read(
    filesOf({
      'main.tf': numbers.map((number, at) => `variable "hcl${at}" {\n  default = [${number}]\n}\n`).join(''),
      'json.tf.json': `{"variable": {${numbers.map((number, at) => `"json${at}": {"default": [${number}]}`).join()}}}`,
    }),
  );
  const told = (kind: string) =>
    root.inputs.flatMap((one) => (one.name.startsWith(kind) ? [one.default] : []));
  expect(told('hcl')).toEqual(numbers.map((number) => `[${number}]`));
  expect(told('json')).toEqual(told('hcl'));
});

test('replaces only the arguments that an override has', async () => {
  const { root, problems } = await read(
    filesOf({
      // Read last, although its name sorts first.
      'a_override.tf': `
terraform {
  required_providers {
    aws = {
      version = "2.0"
    }
  }
}
variable "size" {
  description = "In GiB"
}
output "pw" {
  description = "The password"
}
module "net" {
  version = "2.0"
}
module "own" {
  count = 2
}
module "moved" {
  source = "./moved"
}
resource "aws_vpc" "main" {
  tags = {}
}
locals {
  a = 2
}
`,
      'main.tf': `
terraform {
  required_providers {
    aws = {
      source  = "corp/aws"
      version = "1.0"
    }
    random = {
      source  = "corp/random"
      version = "3.0"
    }
  }
}
variable "size" {
  type      = number
  sensitive = true
}
output "pw" {
  value     = 1
  sensitive = true
}
module "net" {
  source  = "acme/net/aws"
  version = "1.0"
}
module "own" {
  source = "./own"
}
module "moved" {
  source = "acme/moved/aws"
}
resource "aws_vpc" "main" {}
resource "aws_vpc" "other" {}
locals {
  a = 1
}
`,
      'override.tf.json': '{"output": {"pw": {"value": 2}}, "resource": {"aws_vpc": {"main": {}}}}',
    }),
  );
  expect(problems).toEqual([]);
  expect(root).toMatchObject({
    inputs: [{ name: 'size', type: 'number', description: 'In GiB', sensitive: true }],
    outputs: [{ name: 'pw', description: 'The password', sensitive: true }],
    dependencies: [{ name: 'net', source: 'acme/net/aws', version: '2.0' }],
    // Terraform also uses the default source if an override names none.
    provider_dependencies: [
      { name: 'aws', source: 'hashicorp/aws', version: '2.0' },
      { name: 'random', source: 'corp/random', version: '3.0' },
    ],
    resources: [
      { name: 'main', type: 'aws_vpc' },
      { name: 'other', type: 'aws_vpc' },
    ],
  });
});

test('reads submodules and examples like the module', async () => {
  const { root, submodules, examples } = await read(
    filesOf({
      'main.tf': '',
      'modules/b/main.tf': 'variable "b" {}\n',
      'modules/a/main.tf': '',
      'modules/a/README.md': '# A',
      'modules/readme-only/README.md': '# No module',
      'examples/basic/main.tf': 'module "net" {\n  source = "../.."\n}\n',
    }),
  );
  expect(root).toMatchObject({ path: '', empty: true, readme: '' });
  expect(submodules).toMatchObject([
    { path: 'modules/a', name: 'a', readme: '# A', empty: true },
    { path: 'modules/b', name: 'b', inputs: [{ name: 'b' }], empty: false },
  ]);
  expect(examples).toMatchObject([{ path: 'examples/basic', name: 'basic', dependencies: [], empty: false }]);
});

test("reports an unreadable file as a problem, with the parser's message", async () => {
  const { root, problems } = await read({
    texts: new Map([
      ['bad.tf', Buffer.from('variable a b')],
      [
        'bytes.tf',
        Buffer.from('# Stra\xdfe\nvariable "b" {\n  description = "100 %%{x} and $${y}"\n}\n', 'latin1'),
      ],
      ['bad.tf.json', Buffer.from('{')],
      ['good.tf', Buffer.from('variable "a" {}')],
    ]),
    unread: new Map([['big.tf', 'why']]),
  });
  expect(root.inputs).toMatchObject([{ name: 'b', description: '100 %{x} and ${y}' }, { name: 'a' }]);
  expect(problems).toEqual([
    { path: 'bad.tf', message: expect.stringMatching(/^bad\.tf:1,13-13: Invalid block definition/) },
    { path: 'bad.tf.json', message: expect.stringContaining('JSON') },
    { path: 'big.tf', message: 'why' },
  ]);
});

test("reads the next archive after the parser's stack overflows", async () => {
  // Each label of a block is a level of the parser's result.
  const deep = await read(filesOf({ ...readme, 'main.tf': `a ${'a '.repeat(60_000)}{}`, 'more.tf': '' }));
  expect(deep.problems).toEqual([
    { path: 'main.tf', message: 'It is nested too deeply' },
    { path: 'more.tf', message: "It wasn't read, because another file is nested too deeply" },
  ]);
  expect(deep.root.readme).toBe('# Net');
  expect((await read(filesOf({ 'main.tf': 'variable "a" {}' }))).root.inputs).toHaveLength(1);
});

test.each([
  ['brackets', (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`],
  ['templates', (levels: number) => `${'"${'.repeat(levels)}1${'}"'.repeat(levels)}`],
  ['directives', (levels: number) => `"${'%{if a}'.repeat(levels)}${'%{endif}'.repeat(levels)}"`],
  ['signs', (levels: number) => `${'- '.repeat(levels)}1`],
  ['splats', (levels: number) => `a${'[ * ]'.repeat(levels)}`],
  ['splats of attributes', (levels: number) => `a${'[*].a'.repeat(levels)}`],
])('reads files with 1,000 levels of %s', async (_what, nested) => {
  const { problems, root } = await read(
    filesOf({ 'main.tf': `variable "a" {\n  default = ${nested(1_000)}\n}\n` }),
  );
  expect(problems).toEqual([]);
  expect(root.inputs).toHaveLength(1);
});

test.each([
  ['a number with millions of digits', '1e646000000'],
  ['nested directives', `"${'%{if a}'.repeat(8_700)}${'%{endif}'.repeat(8_700)}"`],
])(
  "refuses an archive if %s would take too much of the parser's memory, and reads the next one",
  async (_what, value) => {
    reader = contentReader({ deadlineMs: 60_000 });
    await expect(read(filesOf({ 'main.tf': `variable "a" {\n  default = ${value}\n}\n` }))).rejects.toEqual(
      new BadArchive(
        'The archive was refused: its .tf files take more than 256 MiB of memory to read: make them smaller or simpler',
      ),
    );
    expect((await read(filesOf({ 'main.tf': 'variable "next" {}' }))).root.inputs).toHaveLength(1);
  },
);

test('does not keep the result of a file whose short numbers have millions of digits', async () => {
  const numbers = Array.from({ length: 250 }, () => '1e9999').join();
  const { problems, root } = await read(
    filesOf({ 'main.tf': `locals {\n  a = [${numbers}]\n}\n`, 'more.tf': 'variable "a" {}' }),
  );
  expect(problems).toEqual([{ path: 'main.tf', message: 'It declares more than 2 MiB as JSON' }]);
  expect(root.inputs).toHaveLength(1);
});

const worker = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

test.each([
  ['stops', 'process.exit(1)', 'the parser stopped'],
  ['throws', 'throw new Error("out of memory")', 'out of memory'],
])("replaces a worker that %s, and keeps the archive's README", async (_what, act, why) => {
  reader = contentReader({
    script: worker(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (files) => {
        if (files.texts.has('main.tf')) { ${act} } else parentPort.postMessage({ content: 'read', worn: false });
      });`),
  });
  const asked = [read(filesOf({ ...readme, 'main.tf': '' })), read(filesOf({ 'good.tf': '' }))];
  const [first, second] = await Promise.all(asked);
  expect(first?.problems).toEqual([{ path: '', message: `The archive could not be read: ${why}` }]);
  expect(first?.root.readme).toBe('# Net');
  expect(second).toBe('read');
});

test('replaces a worker that is worn, after its answer', async () => {
  reader = contentReader({
    script: worker(`
      import { parentPort, threadId } from 'node:worker_threads';
      parentPort.on('message', ({ texts }) => {
        parentPort.postMessage({ content: threadId, worn: texts.has('main.tf') });
      });`),
  });
  const [first, worn, next, last] = [
    await read(filesOf({ 'good.tf': '' })),
    await read(filesOf({ 'main.tf': '' })),
    await read(filesOf({ 'good.tf': '' })),
    await read(filesOf({ 'good.tf': '' })),
  ];
  expect([worn, last]).toEqual([first, next]);
  expect(next).not.toBe(worn);
});

/** Answers with the first file's name, or never if that is `stuck`. */
const naming = worker(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ texts }) => {
    const [name] = texts.keys();
    if (name !== 'stuck') parentPort.postMessage({ content: name, worn: false });
  });`);
const stuck = filesOf({ stuck: '' });

test('refuses an archive that takes too long, and reads the next one', async () => {
  reader = contentReader({ deadlineMs: 500, script: naming });
  const refused = read(stuck).catch((error: unknown) => error);
  expect(await read(filesOf({ next: '' }))).toBe('next');
  expect(await refused).toEqual(
    new BadArchive(
      'The archive was refused: its .tf files take longer than 0.5 seconds to read: make them smaller or simpler',
    ),
  );
});

test('refuses an archive that declares too much, and reads the next one', async () => {
  // A few bytes of each variable become several hundred bytes of content.
  const many = Array.from({ length: 20_000 }, (_, index) => `variable "v${index}"{}`).join('\n');
  const why = /declares more than 2 MiB/;
  await expect(read(filesOf({ 'main.tf': many }))).rejects.toThrow(why);
  expect((await read(filesOf({ 'main.tf': 'variable "next" {}' }))).root.inputs).toHaveLength(1);
});

test('removes control characters from a README, whose JSON would be six times as large', async () => {
  const { root } = await read(filesOf({ 'README.md': '\u0001# A\u001b[1m\r\n\tb\u0000\n' }));
  expect(root.readme).toBe('# A[1m\r\n\tb\n');
});

test('lets users take turns, however many archives one of them sends', async () => {
  reader = contentReader({ script: naming });
  const order: string[] = [];
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
    await read(filesOf({ [name]: '' }), name[0]);
    order.push(name);
  });
  await Promise.all(asked);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('limits the waiting archives per user and in total', async () => {
  reader = contentReader({ deadlineMs: 500, script: naming });
  const busy = (isOwn: boolean) => ({ name: 'ReaderBusy', isOwn, retryAfterSeconds: 30 });
  const begun = read(stuck).catch((error: unknown) => error);
  const waiting = ['ada', 'ben', 'cyn', 'dov'].flatMap((person) =>
    Array.from({ length: 24 }, () => read(filesOf({ [person]: '' }), person)),
  );
  await expect(read(filesOf({ more: '' }))).rejects.toMatchObject(busy(true));
  // A user without waiting archives replaces the newest one of the user with the most.
  const ofEve = read(filesOf({ eve: '' }), 'eve');
  await expect(waiting[23]).rejects.toMatchObject(busy(false));
  expect(await begun).toBeInstanceOf(BadArchive);
  const settled = await Promise.allSettled(waiting);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(95);
  expect(await ofEve).toBe('eve');
});

test('refuses an archive that has waited too long', async () => {
  reader = contentReader({ deadlineMs: 1000, waitMs: 20, script: naming });
  const begun = read(stuck).catch((error: unknown) => error);
  await expect(read(filesOf({ late: '' }), 'ben')).rejects.toBeInstanceOf(ReaderBusy);
  await begun;
  expect(await read(filesOf({ next: '' }), 'ben')).toBe('next');
});

test('skips archives whose sender left while they waited', async () => {
  const used = (reader = contentReader({ script: naming }));
  const held = Promise.withResolvers<void>();
  const begun = used.inTurn('ada', () => held.promise);
  const client = new AbortController();
  let turns = 0;
  const left = Array.from({ length: 24 }, () =>
    used.inTurn('ada', () => Promise.resolve(turns++), client.signal).catch((error: unknown) => error),
  );
  const stays = read(filesOf({ next: '' }), 'ben');
  client.abort('left');
  expect(await Promise.all(left)).toEqual(Array(24).fill('left'));
  await expect(read(filesOf({ late: '' }), 'ada', client.signal)).rejects.toBe('left');
  held.resolve();
  await begun;
  expect(await stays).toBe('next');
  expect(turns).toBe(0);
});

test('stops an idle worker, and starts another one when needed', async () => {
  reader = contentReader({
    idleMs: 1,
    script: worker(`
      import { parentPort, threadId } from 'node:worker_threads';
      parentPort.on('message', () => parentPort.postMessage({ content: threadId, worn: false }));`),
  });
  const first = await read(filesOf({}));
  await expect.poll(async () => read(filesOf({}))).not.toBe(first);
});

test('reads thousands of folders in less than quadratic time', () => {
  const texts = new Map([['main.tf', Buffer.alloc(0)]]);
  for (let at = 0; at < 9_000; at++) texts.set(`modules/${at}/main.tf`, Buffer.alloc(0));
  expect(contentOf({ texts, unread: new Map() }, new Map(), []).submodules).toHaveLength(9_000);
});

test('merges the blocks of a variable once, whatever their number', () => {
  let written = 0;
  const value = {
    get member() {
      return ++written;
    },
  };
  const bodies = Array.from({ length: 2_000 }, (_, at) => ({ [`other${at}`]: 1, default: value }));
  const blocks = new Map([['main.tf', { variable: { size: [{ type: '${string}' }, ...bodies] } }]]);
  const { root } = contentOf(filesOf({ 'main.tf': '' }), blocks, []);
  expect(root.inputs).toMatchObject([{ name: 'size', type: 'string', default: '{ member = 1 }' }]);
  expect(written).toBe(1);
});
