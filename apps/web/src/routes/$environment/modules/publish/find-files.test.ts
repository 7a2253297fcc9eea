import { expect, test } from 'vitest';
import { foundInDrop, foundInPicker, type Found } from './find-files.ts';

interface Tree {
  readonly [name: string]: string | Tree;
}

/** Members that nothing reads. */
const unused = {
  fullPath: '',
  get filesystem(): FileSystem {
    throw new Error('the file system of an entry');
  },
  getParent: () => undefined,
};

/** An entry as in browsers: a string is a file, an object a folder. Each read returns up to two entries. */
function entry(name: string, contents: string | Tree): FileSystemEntry {
  if (typeof contents === 'string') {
    const file: FileSystemFileEntry['file'] = (done) => {
      done(new File([contents], name));
    };
    return Object.assign(Object.create(unused, {}) as typeof unused, {
      name,
      isFile: true,
      isDirectory: false,
      file,
    });
  }
  const createReader = (): FileSystemDirectoryReader => {
    const left = Object.entries(contents).map(([child, inner]) => entry(child, inner));
    return {
      readEntries: (done) => {
        done(left.splice(0, 2));
      },
    };
  };
  return Object.assign(Object.create(unused, {}) as typeof unused, {
    name,
    isFile: false,
    isDirectory: true,
    createReader,
  });
}

const pathsOf = (found: Found): readonly string[] =>
  found.kind === 'folder'
    ? found.files.map(({ path, contents }) => (contents === null ? `${path}/` : path)).toSorted()
    : [];

test('reads a dropped folder to its end, without opening folders that are left out', async () => {
  const found = await foundInDrop([
    entry('terraform-aws-net', {
      'main.tf': 'x',
      'README.md': 'x',
      '.git': { HEAD: 'x' },
      modules: { a: { 'main.tf': 'x', '.terraform': { x: 'x' } }, b: { 'b.tf': 'x' }, c: {} },
    }),
  ]);
  expect(found).toMatchObject({ kind: 'folder', name: 'terraform-aws-net' });
  expect(pathsOf(found)).toEqual([
    '.git/',
    'README.md',
    'main.tf',
    'modules/a/.terraform/',
    'modules/a/main.tf',
    'modules/b/b.tf',
  ]);
});

test("reads a dropped file as an archive, and several items as a folder's contents", async () => {
  expect(await foundInDrop([entry('net.tar.gz', 'x')])).toMatchObject({ kind: 'archive' });
  const several = await foundInDrop([entry('main.tf', 'x'), entry('modules', { 'a.tf': 'x' })]);
  expect(several).toMatchObject({ kind: 'folder', name: '' });
  expect(pathsOf(several)).toEqual(['main.tf', 'modules/a.tf']);
});

test('reads paths relative to a chosen folder', () => {
  const file = (path: string): File =>
    Object.defineProperty(new File(['x'], path.split('/').at(-1) ?? ''), 'webkitRelativePath', {
      value: path,
    });
  const found = foundInPicker([file('net/main.tf'), file('net/a/b.tf')]);
  expect(found).toMatchObject({ kind: 'folder', name: 'net' });
  expect(pathsOf(found)).toEqual(['a/b.tf', 'main.tf']);
});
