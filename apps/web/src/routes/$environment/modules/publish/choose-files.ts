/** Selects a folder's files that belong to the module, and finds its root. */

/** A file in the chosen folder; without contents, a folder that was not opened. */
export interface FoundFile {
  /** Relative to the chosen folder, with `/` between names. */
  readonly path: string;
  readonly contents: Blob | null;
}

export interface PackedFile {
  /** Relative to the module's root. */
  readonly path: string;
  readonly contents: Blob;
}

export interface LeftOut {
  readonly path: string;
  /** The number of files in it, if it is a folder that was listed. */
  readonly count: number;
  readonly reason: string;
}

export interface ChosenFiles {
  /** The name of the module's folder. */
  readonly folder: string;
  /** Sorted by path. */
  readonly packed: readonly PackedFile[];
  readonly leftOut: readonly LeftOut[];
}

/** By the name of a file or folder at any depth. */
const notPacked: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^\.git$/, reason: 'Repository history' },
  {
    name: /^\.terraform$/,
    reason: "The client's working folder, with downloaded providers and modules",
  },
  { name: /\.tfstate/, reason: 'State, which can contain secrets in plain text' },
  { name: /^\.DS_Store$/, reason: 'File manager settings' },
];

/** Why a file or folder with this name is never packed; undefined if it can be. */
export function reasonToLeaveOut(name: string): string | undefined {
  return notPacked.find((rule) => rule.name.test(name))?.reason;
}

/** Separates files to pack from files to leave out. @param folder the chosen folder's name */
export function chooseFiles(folder: string, found: readonly FoundFile[]): ChosenFiles {
  const packed: PackedFile[] = [];
  const leftOut = new Map<string, LeftOut>();
  for (const { path, contents } of found) {
    const names = path.split('/');
    const at = names.findIndex((name) => reasonToLeaveOut(name) !== undefined);
    if (at === -1) {
      if (contents !== null) packed.push({ path, contents });
      continue;
    }
    const isWithin = at < names.length - 1;
    const shown = names.slice(0, at + 1).join('/') + (isWithin || contents === null ? '/' : '');
    leftOut.set(shown, {
      path: shown,
      count: (leftOut.get(shown)?.count ?? 0) + (contents === null ? 0 : 1),
      reason: reasonToLeaveOut(names[at] ?? '') ?? '',
    });
  }
  const root = rootOf(packed);
  const last = root.split('/').at(-2);
  return {
    folder: last ?? folder,
    packed: packed
      .map(({ path, contents }) => ({ path: path.slice(root.length), contents }))
      .toSorted(byPath),
    leftOut: [...leftOut.values()].toSorted(byPath),
  };
}

/** The innermost folder that contains every file, with a trailing `/`; empty if that is the chosen folder. */
function rootOf(files: readonly PackedFile[]): string {
  for (let root = ''; ;) {
    const rest = files.map(({ path }) => path.slice(root.length));
    const first = rest[0]?.split('/') ?? [];
    if (first.length < 2 || !rest.every((path) => path.startsWith(`${first[0]}/`))) return root;
    root += `${first[0]}/`;
  }
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}

/** Guesses a module's name from a folder or archive: `terraform-aws-network` is `network` for `aws`. */
export function namesOf(folder: string): { readonly name: string; readonly provider: string } {
  const plain = folder.replace(/\.(?:tar\.gz|tgz)$/i, '').replace(/-v?\d+\.\d+\.\d+.*$/, '');
  const [, provider = '', name = plain] = /^(?:terraform|tofu)-([0-9a-z]+)-(.+)$/.exec(plain) ?? [];
  return { name, provider };
}
