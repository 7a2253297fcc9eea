import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadArchive } from './bad-archive.ts';
import type { ArchiveFiles } from './files.ts';
import { archiveBounds, passArchive } from './read-archive.ts';
import type { ArchiveBounds, PassOptions } from './read-archive.ts';
import { readTar } from './tar.ts';
import { archive, tar, tarEntry, withSum } from './testing/archives.ts';
import type { TestEntry } from './testing/archives.ts';

const main = { name: 'main.tf', body: 'x = 1\n' };

/** Passes an archive in pieces and returns its files, or why it was refused. */
async function pass(
  bytes: Uint8Array,
  bounds: Partial<ArchiveBounds> = {},
  piece = 1000,
): Promise<{ readonly files?: ArchiveFiles; readonly why?: string; readonly passed: Buffer }> {
  const passed: Uint8Array[] = [];
  let files: ArchiveFiles | undefined;
  const body = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  try {
    for await (const chunk of passArchive(body(), { ...archiveBounds, ...bounds }, (found) => {
      files = found;
    }))
      passed.push(chunk);
    return { passed: Buffer.concat(passed), ...(files !== undefined && { files }) };
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    return { why: error.message, passed: Buffer.concat(passed) };
  }
}

const packed = (...entries: readonly TestEntry[]): Buffer => gzipSync(tar([main, ...entries]));

function pax(records: Readonly<Record<string, string>>, type = 'x'): Buffer {
  const body = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(rest);
    while (Buffer.byteLength(String(length) + rest) !== length)
      length = Buffer.byteLength(String(length) + rest);
    return length + rest;
  });
  return tarEntry({ name: 'pax', type, body: body.join('') });
}

/** A file whose header has a ustar path prefix under another format's mark. */
function prefixed(prefix: string, mark: (header: Buffer) => void): Buffer {
  const entry = tarEntry({ name: 'main.tf', body: 'x' });
  const header = entry.subarray(0, 512);
  header.write(prefix, 345, 155);
  mark(header);
  withSum(header);
  return gzipSync(Buffer.concat([tarEntry(main), entry, Buffer.alloc(1024)]));
}

test('passes on a valid archive unchanged and reads its configuration and READMEs', async () => {
  const bytes = gzipSync(
    tar([
      { name: './', type: '5' },
      { name: './main.tf', body: 'a = 1\n' },
      { name: 'README.md', body: '# Net' },
      { name: 'modules/x/main.tf', body: 'b = 1\n' },
      { name: 'docs/main.tf', body: 'c = 1\n' },
      { name: '._main.tf', body: 'what macOS adds' },
      { name: 'modules/x/.hidden.tf', body: 'd = 1\n' },
      { name: 'logo.png', body: Buffer.alloc(5000, 7) },
      { name: 'copy', type: '1', target: 'main.tf' },
      { name: 'examples/a/versions.tf', type: '2', target: '../../main.tf' },
      { name: 'modules/latest', type: '2', target: 'x' },
    ]),
  );
  const { files, passed } = await pass(bytes, {}, 7);
  expect(passed.equals(bytes)).toBe(true);
  expect([...(files?.texts.keys() ?? [])]).toEqual(['main.tf', 'README.md', 'modules/x/main.tf']);
  expect(Buffer.from(files?.texts.get('main.tf') ?? []).toString()).toBe('a = 1\n');
});

test('accepts long names of both kinds, and global descriptions', async () => {
  const long = `modules/${'n'.repeat(120)}/main.tf`;
  const bytes = gzipSync(
    Buffer.concat([
      pax({ comment: 'a commit' }, 'g'),
      tarEntry(main),
      pax({ path: long, mtime: '1.5' }),
      tarEntry({ name: 'short', body: 'a = 1\n' }),
      tarEntry({ name: '././@LongLink', type: 'L', body: `${long}.json\0` }),
      tarEntry({ name: 'short', body: '{}' }),
      Buffer.alloc(1024),
    ]),
  );
  const { files, why } = await pass(bytes);
  expect(why).toBeUndefined();
  expect([...(files?.texts.keys() ?? [])]).toEqual(['main.tf', long, `${long}.json`]);
});

test('reads the folder of a long path in either ustar format', async () => {
  const folder = `modules/${'n'.repeat(100)}`;
  for (const mark of ['', 'tar\0']) {
    const { files, why } = await pass(prefixed(folder, (header) => header.write(mark, 508)));
    expect(why).toBeUndefined();
    expect([...(files?.texts.keys() ?? [])]).toEqual(['main.tf', `${folder}/main.tf`]);
  }
});

test('accepts a module that only has submodules', async () => {
  const { files, why } = await pass(archive({ 'README.md': '# x', 'modules/x/main.tf': '' }));
  expect(why).toBeUndefined();
  expect([...(files?.texts.keys() ?? [])]).toEqual(['README.md', 'modules/x/main.tf']);
});

test('accepts names that only resemble device names', async () => {
  const names = [
    'console.tf',
    'auxiliary/main.tf',
    'null.tf',
    'com10.tf',
    'a.nul',
    'größe.tf',
    'ネット.tf',
    'main.tf~',
    'variables~1.tf',
    'a~1.tfvars',
  ];
  expect((await pass(packed(...names.map((name) => ({ name }))))).why).toBeUndefined();
});

test('accepts unusual forms that other programs read the same way', async () => {
  const number = (at: number, hex: string) =>
    packedWith((header) => header.write(hex, at, 'hex'), { name: 'x.tf', body: 'x' });
  for (const bytes of [
    // A time before 1970, and a size as a binary number.
    number(136, 'fffffffffffffffffffff1f0'),
    number(124, '800000000000000000000001'),
    packedWith((header) => header.write('0100644', 100), { name: 'x.tf', body: 'x' }),
    described(pax({ size: '1', mtime: '1.5' }), tarEntry({ name: 'x.tf', body: 'x' })),
    // An extended attribute with arbitrary bytes.
    described(
      tarEntry({ name: 'pax', type: 'x', body: Buffer.from('25 SCHILY.xattr.user.x=\xff\n', 'latin1') }),
      tarEntry({ name: 'x.tf', body: 'x' }),
    ),
  ]) {
    const { files, why } = await pass(bytes);
    expect(why).toBeUndefined();
    expect(Buffer.from(files?.texts.get('x.tf') ?? []).toString()).toBe('x');
  }
});

test('reads the module itself first, wherever it is in a large archive, and names the files left out', async () => {
  const files: readonly TestEntry[] = [
    { name: 'examples/a/main.tf', body: ' '.repeat(60) },
    { name: 'examples/a/README.md', body: ' '.repeat(90) },
    { name: 'examples/b/main.tf', body: ' '.repeat(20) },
    { name: 'modules/m/main.tf', body: ' '.repeat(20) },
    { name: 'variables.tf', body: ' '.repeat(60) },
    { name: 'modules/n/main.tf', body: ' '.repeat(20) },
    { name: 'modules/o/main.tf', body: ' '.repeat(20) },
    { name: 'big.tf', body: ' '.repeat(70) },
    { name: 'README.md', body: ' '.repeat(150) },
  ];
  const bounds = {
    configuration: { fileBytes: 64, textBytes: 110 },
    readmes: { fileBytes: 1024, textBytes: 200 },
  };
  const { files: found, why } = await pass(packed(...files), bounds);
  expect(why).toBeUndefined();
  expect([...(found?.texts.keys() ?? [])]).toEqual([
    'main.tf',
    'modules/m/main.tf',
    'variables.tf',
    'modules/n/main.tf',
    'README.md',
  ]);
  expect([...(found?.unread.keys() ?? [])].toSorted()).toEqual([
    'big.tf',
    'examples/a/README.md',
    'examples/a/main.tf',
    'examples/b/main.tf',
    'modules/o/main.tf',
  ]);
  expect(found?.unread.get('big.tf')).toBe('It has more than the 0.0625 KiB that can be read from a file');
  expect(found?.unread.get('modules/o/main.tf')).toContain('The .tf files before it already use');
});

/** An archive with these bytes between a module and the end. */
const described = (...parts: readonly Buffer[]): Buffer =>
  gzipSync(Buffer.concat([tarEntry(main), ...parts, Buffer.alloc(1024)]));

/** An archive with an entry whose header is modified. */
function packedWith(change: (header: Buffer) => void, entry: TestEntry = { name: 'x' }): Buffer {
  const bytes = tarEntry(entry);
  const header = bytes.subarray(0, 512);
  change(header);
  withSum(header);
  return described(bytes);
}

/** A description with additional text after its end. */
function hidden(type: string, body: string, more: string): Buffer {
  const bytes = tarEntry({ name: 'p', type, body: body + more });
  const header = bytes.subarray(0, 512);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  withSum(header);
  return bytes;
}

const bomb = gzipSync(
  Buffer.concat([tarEntry(main), tarEntry({ name: 'zeros', body: Buffer.alloc(3 * 2 ** 20) })]),
);
const damaged = Buffer.from(packed());
damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 1;

const refused: readonly (readonly [string, Uint8Array, string, bounds?: Partial<ArchiveBounds>])[] = [
  ['nothing', Buffer.alloc(0), 'it is empty'],
  ['gzip of nothing', gzipSync(''), 'it is empty'],
  ['an archive without entries', gzipSync(Buffer.alloc(10_240)), 'it is empty'],
  ['text', Buffer.from('resource "x" "y" {}'), 'it is not gzip'],
  ['zip', Buffer.from('PK\u0003\u0004 and so on'), 'it is not gzip: pack the module as a .tar.gz file'],
  ['zlib without gzip', deflateSync(tar([main])), 'it is not gzip'],
  ['gzip of text', gzipSync('resource'.repeat(200)), 'it is not a tar archive'],
  ['gzip of a little text', gzipSync('resource'), 'it is not a tar archive'],
  ['a cut archive', packed().subarray(0, 60), 'it ends early: its gzip data is cut off'],
  [
    'gzip of a cut archive',
    gzipSync(tar([{ name: 'main.tf', body: 'x'.repeat(2000) }]).subarray(0, 1200)),
    'it ends early (at or after "main.tf")',
  ],
  ['a wrong check sum of gzip', damaged, 'its gzip data is damaged (incorrect data check)'],
  ['something behind gzip', Buffer.concat([packed(), Buffer.from('more')]), 'something follows its end'],
  [
    'something behind tar',
    gzipSync(Buffer.concat([tar([main]), tarEntry({ name: 'hidden' })])),
    'something follows its end',
  ],
  [
    'a damaged header',
    gzipSync(Buffer.concat([tarEntry(main), Buffer.alloc(512, 'x')])),
    'header of an entry is damaged (at or after "main.tf")',
  ],
  ['no module', archive({ 'README.md': '# x' }), 'no module at its root (no .tf file)'],
  ['a module in a hidden file', archive({ '.main.tf': '' }), 'no module at its root (no .tf file)'],
  ['a module in a folder', archive({ 'net-1.0/main.tf': '' }), 'the folder net-1.0: pack the contents'],
  ['a module in a deep folder', archive({ 'a/x/main.tf': '' }), 'no module at its root'],
  ['a way out', packed({ name: '../evil.tf' }), 'points outside the archive'],
  ['a way out further down', packed({ name: 'a/../../evil.tf' }), 'points outside the archive'],
  ['an absolute path', packed({ name: '/etc/passwd' }), 'is an absolute path'],
  ['a drive', packed({ name: 'C:/x' }), 'is an absolute path'],
  ['a backslash', packed({ name: 'a\\..\\b' }), 'means different paths on different systems'],
  ['a dot at the end', packed({ name: 'modules/x/main.tf.' }), 'means different paths on different systems'],
  [
    'a space at the end',
    packed({ name: 'modules/x /main.tf' }),
    'means different paths on different systems',
  ],
  ['a stream of a file', packed({ name: 'main.tf::$DATA' }), 'means different paths on different systems'],
  ...[
    'aux.tf',
    'VARIAB~1.TF',
    'm~12/main.tf',
    'con.tf',
    'modules/NUL/main.tf',
    'com1',
    'LPT\u00b9.tar.gz',
    'nul .tf',
    'conin$',
    'a?.tf',
    'a*',
    'a"b',
    '<a>',
    'a|b',
    'ma\u200din.tf',
    'main.tf\ufeff',
    '\u202emain.tf',
  ].map(
    (name) =>
      [
        `another name on some systems: ${JSON.stringify(name)}`,
        packed({ name }),
        'means different paths on different systems',
      ] as const,
  ),
  [
    'a name in two cases',
    packed({ name: 'Main.tf' }),
    'main.tf and Main.tf are the same name on some systems',
  ],
  ['a folder in two cases', packed({ name: 'a/x' }, { name: 'A', type: '5' }), 'a and A are the same name'],
  [
    'a letter with one capital',
    packed({ name: 'main.t\u017f' }, { name: 'main.ts' }),
    'are the same name on',
  ],
  [
    'a letter in two forms',
    packed({ name: '\u00e9' }, { name: 'e\u0301' }),
    'are the same name on some systems',
  ],
  [
    'a file and a link in two cases',
    packed({ name: 'MAIN.TF', type: '2', target: 'main.tf' }),
    'are the same name',
  ],
  [
    'a way out in the form of star',
    prefixed(`${'a/'.repeat(64)}/..more`, (header) => header.write('tar\0', 508)),
    'read as a folder by some systems and as times by others',
  ],
  [
    'a folder under the mark of GNU',
    prefixed('..', (header) => header.write('ustar  \0', 257)),
    'read as a folder by some systems and as times by others',
  ],
  [
    'a folder under no mark',
    prefixed('..', (header) => header.fill(0, 257, 265)),
    'read as a folder by some',
  ],
  [
    'two descriptions',
    gzipSync(
      Buffer.concat([tarEntry(main), pax({ path: 'a' }), pax({ path: 'b' }), tarEntry({ name: 'x' })]),
    ),
    'it describes an entry twice',
  ],
  [
    'descriptions of both kinds',
    gzipSync(
      Buffer.concat([
        tarEntry(main),
        tarEntry({ name: '././@LongLink', type: 'L', body: 'a\0' }),
        pax({ path: 'b' }),
        tarEntry({ name: 'x' }),
      ]),
    ),
    'it describes an entry twice',
  ],
  ['a line break', packed({ name: 'a\nb' }), 'means different paths on different systems'],
  [
    'a way out in a description',
    gzipSync(Buffer.concat([tarEntry(main), pax({ path: '../evil' }), tarEntry({ name: 'x' })])),
    'points outside the archive',
  ],
  [
    'a description of all',
    gzipSync(Buffer.concat([pax({ path: 'x' }, 'g'), tarEntry(main)])),
    'describes all of its entries',
  ],
  [
    'a damaged description',
    gzipSync(Buffer.concat([tarEntry({ name: 'p', type: 'x', body: '99 path=x\n' }), tarEntry(main)])),
    'extended header is damaged',
  ],
  [
    'a long description',
    gzipSync(tarEntry({ name: 'p', type: 'L', size: 2 ** 30 })),
    'extended header is too long',
  ],
  [
    'long descriptions',
    gzipSync(
      Buffer.concat(
        Array.from({ length: 280 }, (_, at) => [
          pax({ comment: 'n'.repeat(60_000) }),
          tarEntry({ ...main, name: `${at}.tf` }),
        ]).flat(),
      ),
    ),
    'extended headers are too long',
  ],
  [
    'a description with many records',
    gzipSync(
      Buffer.concat([tarEntry({ name: 'p', type: 'x', body: '5 a=\n'.repeat(1_001) }), tarEntry(main)]),
    ),
    'an extended header has too many records',
  ],
  [
    'many descriptions with many records',
    gzipSync(
      Buffer.concat(
        Array.from({ length: 201 }, (_, at) => [
          tarEntry({ name: 'p', type: 'x', body: '5 a=\n'.repeat(1_000) }),
          tarEntry({ ...main, name: `${at}.tf` }),
        ]).flat(),
      ),
    ),
    'its extended headers have too many records',
  ],
  [
    'a sparse file',
    gzipSync(Buffer.concat([pax({ 'GNU.sparse.major': '1' }), tarEntry(main)])),
    'an extension that only some tools support: GNU.sparse.major',
  ],
  ['an absolute link', packed({ name: 'l', type: '2', target: '/etc' }), 'the link l leaves the archive'],
  [
    'a link that leaves',
    packed({ name: 'a/l', type: '2', target: '../../etc' }),
    'the link a/l leaves the archive',
  ],
  [
    'a link over a link',
    packed(
      { name: 'd/x', body: '' },
      { name: 'l', type: '2', target: 'd' },
      { name: 'm', type: '2', target: 'l/x' },
    ),
    'the link m goes through another link',
  ],
  [
    'a link to its folder',
    packed({ name: 'd/l', type: '2', target: '.' }),
    'points to a folder that contains it',
  ],
  [
    'a great many links',
    packed(...Array.from({ length: 251 }, (_, at) => ({ name: `l${at}`, type: '2', target: 'main.tf' }))),
    'more than 250 links',
  ],
  ['a link to nothing', packed({ name: 'l', type: '2', target: 'there' }), 'points to nothing'],
  [
    'a file behind a link',
    packed({ name: 'd/x' }, { name: 'l', type: '2', target: 'd' }, { name: 'l/y' }),
    'l is a link and a folder',
  ],
  ['a hard link that leaves', packed({ name: 'l', type: '1', target: '/etc/passwd' }), 'is an absolute path'],
  [
    'a hard link to nothing',
    packed({ name: 'l', type: '1', target: 'later.tf' }),
    "links to something that isn't an earlier file",
  ],
  ['a character device', packed({ name: 'd', type: '3' }), 'a device or a pipe (at or after "main.tf")'],
  ['a block device', packed({ name: 'd', type: '4' }), 'a device or a pipe'],
  ['a pipe', packed({ name: 'd', type: '6' }), 'a device or a pipe'],
  ['an unknown kind', packed({ name: 'd', type: 'S' }), 'an entry of an unknown kind ("S")'],
  ['a file twice', packed(main), 'it contains main.tf twice'],
  ['a file as folder', packed({ name: 'main.tf/x' }), 'main.tf is a file and a folder'],
  ['a folder with contents', packed({ name: 'd', type: '5', body: 'x' }), 'with contents'],
  ...(['1', '2'] as const).map(
    (type) =>
      [
        `a described size of a link of type ${type}`,
        described(
          pax({ size: '512' }),
          tarEntry({ name: 'd', type, target: 'main.tf' }),
          tarEntry({ name: 'notes.txt', body: tarEntry({ name: 'evil.tf' }) }),
        ),
        '"d" has two sizes',
      ] as const,
  ),
  [
    'a described size of a folder',
    described(pax({ size: '512' }), tarEntry({ name: 'd', type: '5' })),
    'has two sizes',
  ],
  [
    'a described size of a file',
    described(pax({ size: '0' }), tarEntry({ name: 'x', body: tarEntry({ name: 'evil.tf' }) })),
    'has two sizes',
  ],
  ['a link with contents', packed({ name: 'l', type: '1', target: 'main.tf', body: 'x' }), 'with contents'],
  [
    'a size before a zero byte',
    packedWith((header) => header.write('\0', 124), { name: 'x', body: 'x'.repeat(512) }),
    'a number in the header of an entry cannot be read',
  ],
  [
    'an owner that is no number',
    packedWith((header) => header.write('me', 108)),
    'a number in the header of an entry cannot be read',
  ],
  [
    'a file with the mode of a folder',
    packedWith((header) => header.write('0040755', 100), { name: 'x.tf' }),
    '"x.tf" is a file with the mode of another kind',
  ],
  ['a file with the name of a folder', packed({ name: 'x.tf/' }), 'is a file with the name of a folder'],
  [
    'a hard link to a file as a folder',
    packed({ name: 'l', type: '1', target: 'main.tf/.' }),
    'is a hard link to a folder',
  ],
  [
    'a link as a file of the module',
    packed({ name: 'modules/x/more.tf', type: '2', target: '../../main.tf' }),
    'modules/x/more.tf is a link, which Terraform unpacks as an empty file',
  ],
  [
    'a path twice in a description',
    described(tarEntry({ name: 'p', type: 'x', body: '9 path=a\n9 path=b\n' })),
    'it describes an entry twice',
  ],
  [
    'two descriptions of other things',
    described(pax({ path: 'x.tf' }), pax({ mtime: '1' }), tarEntry({ name: 'x' })),
    'it describes an entry twice',
  ],
  [
    'a description of all behind that of an entry',
    described(pax({ path: 'x.tf' }), pax({ comment: 'c' }, 'g'), tarEntry({ name: 'x' })),
    'it describes an entry twice',
  ],
  [
    'descriptions without an entry and an end',
    gzipSync(tar([main, { name: 'g', type: 'g' }, { name: 'g', type: 'g' }])),
    'it describes an entry twice',
  ],
  ['a description of nothing', gzipSync(tar([main, { name: 'x', type: 'x' }])), 'it ends early'],
  [
    'a description in the rest of its block',
    described(hidden('x', '6 a=b\n', '13 path=x.tf\n'), tarEntry({ name: 'x' })),
    'extended header is damaged',
  ],
  [
    'a long name in the rest of its block',
    described(hidden('L', 'x', '.tf'), tarEntry({ name: 'y' })),
    'extended header is damaged',
  ],
  ...['+7 a=b\n', '07 a=b\n', '5 =b\n', '4 a\n', '8 a\0b=c\n'].map(
    (body) =>
      [
        `the record ${JSON.stringify(body)}`,
        described(tarEntry({ name: 'p', type: 'x', body }), tarEntry({ name: 'x' })),
        'extended header is damaged',
      ] as const,
  ),
  [
    'an end that is no whole block',
    gzipSync(Buffer.concat([tar([main]), Buffer.alloc(100)])),
    'it ends early',
  ],
  ['a bomb', bomb, 'more than 1 MiB when it is unpacked', { unpackedBytes: 2 ** 20 }],
  ['a size that cannot be', gzipSync(tarEntry({ name: 'main.tf', size: 2 ** 32 })), 'more than 256 MiB'],
  ['too many entries', packed({ name: 'a' }, { name: 'b' }), 'more than 2 entries', { entries: 2 }],
];

test.each(refused.map(([name, bytes, why, bounds]) => ({ name, bytes, why, bounds })))(
  'says why it refuses an archive: $name',
  async ({ bytes, why, bounds }) => {
    const answer = await pass(bytes, bounds);
    expect(answer.why).toContain(`The archive was refused: `);
    expect(answer.why).toContain(why);
  },
);

test.each([
  [
    'a folder of each',
    'it has more than 10000 folders',
    (at: number) => ({ path: `${at}/${'a/'.repeat(60)}f` }),
  ],
  ['one path', 'nested more than 64 folders deep', () => ({ path: `${'a/'.repeat(500)}f` })],
])('limits folders without an entry of their own: %s', async (_, why, described) => {
  const entries = Array.from({ length: 500 }, (_none, at) => [
    pax(described(at)),
    tarEntry({ name: 'x' }),
  ]).flat();
  const passed = await pass(gzipSync(Buffer.concat([tarEntry(main), ...entries, Buffer.alloc(1024)])));
  expect(passed.why).toContain(why);
});

test.each([
  ['a/'.repeat(30_000), 'the link l points to a path that is too long'],
  ['a/../main.tf', 'the link l points to nothing'],
  ['main.tf/../main.tf', 'the link l points to nothing'],
])('refuses a link that passes through missing folders or a long path', async (linkpath, why) => {
  const link = [pax({ linkpath }), tarEntry({ name: 'l', type: '2' })];
  const passed = await pass(gzipSync(Buffer.concat([tarEntry(main), ...link, Buffer.alloc(1024)])));
  expect(passed.why).toContain(why);
});

test.each([
  [0, undefined],
  [2 ** 20 - 1024, undefined],
  [2 ** 20, 'The archive was refused: more than 1 MiB of zeros follow its end'],
])('accepts at most 1 MiB of zeros after the end of an archive: %d bytes', async (length, why) => {
  const bytes = gzipSync(Buffer.concat([tar([main]), Buffer.alloc(length)]));
  expect((await pass(bytes)).why).toBe(why);
});

/** The error that passing an archive throws. */
async function failureOf(body: AsyncIterable<Uint8Array>, options: PassOptions): Promise<unknown> {
  try {
    for await (const _chunk of passArchive(body, archiveBounds, () => undefined, options)) continue;
    return undefined;
  } catch (error) {
    return error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('unpacks nothing before its turn', async () => {
  const busy = new Error('busy');
  // Unpacking would refuse the archive immediately.
  expect(await failureOf(once(Buffer.from('no gzip')), { inTurn: () => Promise.reject(busy) })).toBe(busy);
});

test('does not spend a turn waiting for the rest of an archive', async () => {
  let ended = false;
  const turns: boolean[] = [];
  const body = async function* () {
    const bytes = gzipSync(Buffer.concat([tar([{ ...main, body: randomBytes(9 * 2 ** 20) }])]), { level: 0 });
    for (let at = 0; at < bytes.length; at += 2 ** 20) yield bytes.subarray(at, at + 2 ** 20);
    ended = true;
  };
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    turns.push(ended);
    await work();
  };
  expect(await failureOf(body(), { inTurn })).toBeUndefined();
  expect(turns).toEqual([false, false, true]);
});

test('stops unpacking when the sender has left', async () => {
  const client = new AbortController();
  // The error at its end is never reached.
  const bytes = gzipSync(Buffer.concat([tar([{ ...main, body: Buffer.alloc(2 ** 20) }]), Buffer.from('x')]));
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const working = work();
    client.abort('left');
    return working;
  };
  expect(await failureOf(once(bytes), { inTurn, signal: client.signal })).toBe('left');
});

test('refuses an archive that is too large before receiving all of it', async () => {
  const { why, passed } = await pass(
    packed({ name: 'x', body: Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))) }),
    {
      sentBytes: 20_000,
    },
  );
  expect(why).toContain('The archive is larger than');
  expect(passed.length).toBeLessThanOrEqual(20_000);
});

test('answers any corrupted archive with a refusal or its files, never with another error', async () => {
  const good = tar([
    main,
    { name: 'modules/a/main.tf', body: 'a = 1\n' },
    { name: 'l', type: '2', target: 'modules/a' },
    { name: 'README.md', body: '# x' },
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 3000 }),
      async (changes, resum, piece) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) {
          bytes[at] = value;
          const header = at - (at % 512);
          if (resum) withSum(bytes.subarray(header, header + 512));
        }
        const { why, files } = await pass(gzipSync(bytes), {}, piece);
        expect(why === undefined).toBe(files !== undefined);
        for (const path of files?.texts.keys() ?? []) expect(path).not.toMatch(/(^|\/)\.\.?(\/|$)|^\//);
      },
    ),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 5000 : 200 },
  );
});

test('lets others continue between extended headers with many records', async () => {
  const many = pax(Object.fromEntries(Array.from({ length: 999 }, (_, n) => [n.toString(36), ''])));
  const bytes = tar([main]);
  const described = Buffer.concat([
    ...Array.from({ length: 195 }, () => [many, tarEntry(main)]).flat(),
    bytes,
  ]);
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  let entries = 0;
  await readTar(once(described), () => void (entries += 1));
  clearImmediate(next);
  expect(entries).toBe(196);
  expect(turns).toBeGreaterThan(2);
});
