import { Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { ArchiveFiles } from '@gatehouse/module-archive/files';
import { archiveBounds, passArchive } from '@gatehouse/module-archive/read-archive';
import { readTar, type TarEntry } from '@gatehouse/module-archive/tar';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PackedFile } from './choose-files.ts';
import { base64Of, checkSize, pack } from './pack.ts';

interface ReadBack {
  readonly entry: TarEntry;
  readonly text: Buffer;
}

/** An archive's entries, read with the registry's reader. */
async function readBack(bytes: Uint8Array): Promise<readonly ReadBack[]> {
  const found: { entry: TarEntry; chunks: Buffer[] }[] = [];
  await readTar(Readable.from([bytes]).pipe(createGunzip()), (entry) => {
    const chunks: Buffer[] = [];
    found.push({ entry, chunks });
    return (chunk) => chunks.push(Buffer.from(chunk));
  });
  return found.map(({ entry, chunks }) => ({ entry, text: Buffer.concat(chunks) }));
}

function filesOf(
  contents: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): readonly PackedFile[] {
  return Object.entries(contents).map(([path, body]) => ({ path, contents: new Blob([body]) }));
}

const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({ minLength: 1, maxLength: 130 }),
  )
  // eslint-disable-next-line no-control-regex -- file systems have no such names, and archives refuse them
  .filter((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f\\/]/.test(text) && !/^\.{1,2}$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));

test('packs any paths and contents so that they read back the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(path, fc.uint8Array({ maxLength: 1500 }), { minKeys: 1 }),
      async (given) => {
        const files = filesOf(given);
        const found = await readBack(await pack(files));
        expect(found.map(({ entry }) => entry)).toEqual(
          files.map((file) => ({ kind: 'file', name: file.path, target: '', size: file.contents.size })),
        );
        for (const [at, { text }] of found.entries())
          expect(text.equals(Buffer.from(given[files[at]?.path ?? ''] ?? []))).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([99, 100, 101, 154, 155, 156, 985, 989, 990, 1000])(
  'keeps a path of %i characters whole',
  async (length) => {
    const path = `modules/${'d'.repeat(length)}`.slice(0, length);
    const [found] = await readBack(await pack(filesOf({ [path]: 'x' })));
    expect(found?.entry.name).toBe(path);
  },
);

test('packs archives that the registry reads as modules', async () => {
  const packed = await pack(
    filesOf({
      'main.tf': 'output "id" {\n  value = 1\n}\n',
      'modules/größe/main.tf': '',
      'README.md': '# One',
    }),
  );
  let read: ArchiveFiles | undefined;
  const passed = [];
  for await (const chunk of passArchive(
    Readable.from([packed]),
    archiveBounds,
    (files) => void (read = files),
  ))
    passed.push(chunk);
  expect(Buffer.concat(passed).equals(packed)).toBe(true);
  expect([...(read?.texts.keys() ?? [])]).toEqual(['main.tf', 'modules/größe/main.tf', 'README.md']);
});

test('returns the same bytes for the same files, and makes files with #! executable', async () => {
  const files = filesOf({ 'main.tf': '', 'run.sh': '#!/bin/sh\n' });
  const one = await pack(files);
  expect(Buffer.from(one).equals(await pack(files))).toBe(true);
  const tar = gunzipSync(one);
  expect(tar.toString('latin1', 100, 107)).toBe('0000644');
  expect(tar.toString('latin1', 612, 619)).toBe('0000755');
});

test('reports progress up to 1, and refuses empty or oversized folders with the reason', async () => {
  const parts: number[] = [];
  await pack(filesOf({ 'a.tf': '12', 'b.tf': '34' }), (part) => parts.push(part));
  expect(parts).toEqual([0.5, 1]);
  await expect(pack([])).rejects.toThrow('The folder has no files to pack.');
  const huge = { size: 300 * 2 ** 20 } as Blob;
  await expect(pack([{ path: 'main.tf', contents: huge }])).rejects.toThrow(/300 MiB/);
  expect(() => checkSize(10 * 2 ** 20)).not.toThrow();
  expect(() => checkSize(10 * 2 ** 20 + 1)).toThrow(/10.1 MiB. The console publishes up to 10 MiB/);
});

test('encodes bytes of any length as base64', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      (bytes) => base64Of(bytes) === Buffer.from(bytes).toString('base64'),
    ),
  );
  const large = crypto.getRandomValues(new Uint8Array(50_001));
  expect(base64Of(large)).toBe(Buffer.from(large).toString('base64'));
});
