import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBoxMetadata } from './box-metadata.ts';

/** A box as packed by tar: files in this order, with their contents. */
function boxOf(
  flags: string,
  ...files: readonly (readonly [name: string, text: string | Uint8Array])[]
): Blob {
  using folder = temporaryFolder();
  for (const [name, text] of files) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  const { status, stdout } = spawnSync('tar', [flags, '-', ...files.map(([name]) => name)], {
    cwd: folder.path,
    maxBuffer: 1e9,
  });
  expect(status).toBe(0);
  return new Blob([new Uint8Array(stdout)]);
}

const metadata = JSON.stringify({ provider: 'libvirt', architecture: 'arm64', format: 'qcow2' });
const disk = new Uint8Array(300_000).map((_, at) => at % 251);

test.each(['czf', 'cf'])(
  'reads the metadata of a box packed with %s, wherever they are in the archive',
  async (flags) => {
    for (const box of [
      boxOf(flags, ['metadata.json', metadata], ['box.img', disk]),
      boxOf(flags, ['box.img', disk], ['./metadata.json', metadata]),
      boxOf(flags, [`${'deep/'.repeat(30)}file`, 'long'], ['metadata.json', metadata]),
    ]) {
      expect(await readBoxMetadata(box)).toEqual({
        provider: 'libvirt',
        architecture: 'arm64',
        state: 'found',
      });
    }
  },
);

test('missing or malformed fields are unknown', async () => {
  const read = (text: string) => readBoxMetadata(boxOf('czf', ['metadata.json', text]));
  const found = { provider: '', architecture: '', state: 'found' };
  expect(await read('{"provider":"virtualbox"}')).toEqual({ ...found, provider: 'virtualbox' });
  expect(await read('{"provider":["x"],"architecture":"<b>"}')).toEqual(found);
  expect(await read('null')).toEqual(found);
});

test('says why there is no metadata', async () => {
  const stateOf = async (file: Blob) => (await readBoxMetadata(file)).state;
  const read = (text: string) => stateOf(boxOf('czf', ['metadata.json', text]));
  expect(await read('{')).toBe('unreadable');
  expect(await read(`{"provider":"${'x'.repeat(70_000)}"}`)).toBe('unreadable');
  expect(await stateOf(boxOf('czf', ['other/metadata.json', metadata]))).toBe('missing');
  expect(await stateOf(boxOf('cf', ['box.img', disk]))).toBe('missing');
  expect(await stateOf(new Blob(['<html>Not found</html>']))).toBe('unreadable');
  expect(await stateOf(boxOf('cf', ['box.img', disk]).slice(0, 2000))).toBe('unreadable');
  expect(await stateOf(new Blob([new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])]))).toBe('unchecked');
});

test('reads any file, even a truncated one, without an error', async () => {
  const box = new Uint8Array(
    await boxOf('czf', ['box.img', disk], ['metadata.json', metadata]).arrayBuffer(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 2000 }),
        fc.nat({ max: box.length - 600 }).map((end) => box.slice(0, end)),
      ),
      async (bytes) => {
        expect((await readBoxMetadata(new Blob([new Uint8Array(bytes)]))).state).not.toBe('found');
      },
    ),
    { numRuns: 60 },
  );
});
