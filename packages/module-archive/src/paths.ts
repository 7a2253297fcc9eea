import { badArchive } from './bad-archive.ts';
import type { TarEntry } from './tar.ts';

const maxPath = 1024;
/** Windows device names, with any extension: Windows can't create a file `aux.tf`. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;
/** A short name that Windows may assign to another file: `VARIAB~1.TF` for `variables.tf.json`. */
const short = /^(?=[^.]{1,8}(?:\.|$))[^.]+~\d+(?:\.[^.]{1,3})?$/;
/** Invisible characters that some file systems drop from names. */
const ignored = /\p{Default_Ignorable_Code_Point}/u;
/** Most names in a path. */
const maxDepth = 64;

/**
 * An entry's normalized path in the archive, with `/` between names; empty for the root.
 * @throws BadArchive for a path that leaves the archive or that systems interpret differently
 */
export function pathOf(name: string): string {
  const shown = JSON.stringify(name.slice(0, 200));
  const odd = badArchive(`${shown} means different paths on different systems`);
  // eslint-disable-next-line no-control-regex -- they are what is refused
  if (name === '' || name.length > maxPath || /[\u0000-\u001f\u007f\\]/.test(name) || ignored.test(name))
    throw odd;
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw badArchive(`${shown} is an absolute path`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw badArchive(`${shown} points outside the archive`);
  // Windows ends a name at a colon and drops trailing dots and spaces, so that "main.tf." would become a file of the
  // module only there. It can't create names with the other characters.
  if (parts.some((part) => /[:*?"<>|]|[. ]$/.test(part) || device.test(part) || short.test(part))) throw odd;
  if (parts.length > maxDepth) throw badArchive(`${shown} is nested more than ${maxDepth} folders deep`);
  return parts.join('/');
}

/** Resolving a link takes a step per name. Real modules have a handful of links. */
const maxLinks = 250;

/** Checks an archive's entries against each other, so that any tool unpacks them to the same places inside it. */
export class PathChecker {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>(['']);
  readonly #links = new Map<string, string>();
  /** Paths by their spelling on systems that ignore case or Unicode composition. */
  readonly #spelled = new Map<string, string>();
  readonly #maxFolders: number;

  /** @param maxFolders most folders, including those without an entry of their own */
  constructor(maxFolders: number) {
    this.#maxFolders = maxFolders;
  }

  /**
   * Adds an entry.
   * @returns its path
   * @throws BadArchive
   */
  add({ kind, name, target }: TarEntry): string {
    const path = pathOf(name);
    if (kind === 'folder') {
      this.#addFolders(path);
      return path;
    }
    if (path === '') throw badArchive(`its root is a ${kind}`);
    if (this.#files.has(path) || this.#links.has(path)) throw badArchive(`it contains ${path} twice`);
    this.#addFolders(parentOf(path));
    this.#spell(path);
    if (kind === 'file') {
      this.#files.add(path);
    } else if (kind === 'symbolic link') {
      this.#links.set(path, target);
      if (this.#links.size > maxLinks) throw badArchive(`it has more than ${maxLinks} links`);
    } else {
      if (!this.#files.has(pathOf(target)))
        throw badArchive(`${path} links to something that isn't an earlier file`);
      this.#files.add(path);
    }
    return path;
  }

  /** The checks that need all entries. @throws BadArchive */
  finish(): void {
    for (const folder of this.#folders) {
      if (this.#files.has(folder)) throw badArchive(`${folder} is a file and a folder`);
      if (this.#links.has(folder)) throw badArchive(`${folder} is a link and a folder`);
    }
    for (const [path, target] of this.#links) this.#checkLink(path, target);
  }

  #addFolders(path: string): void {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
      this.#spell(folder);
    }
    if (this.#folders.size > this.#maxFolders)
      throw badArchive(`it has more than ${this.#maxFolders} folders`);
  }

  /** Refuses names that some systems treat as one, where the later entry would overwrite the earlier one. */
  #spell(path: string): void {
    // Compared in upper case, because some letters share a capital but differ in lower case. The capital ẞ has two
    // upper-case forms.
    const key = path.normalize('NFC').toUpperCase().toLowerCase().toUpperCase();
    const other = this.#spelled.get(key) ?? path;
    if (other !== path) throw badArchive(`${other} and ${path} are the same name on some systems`);
    this.#spelled.set(key, path);
  }

  /** A link must directly target a file or folder in the archive; through other links it could point anywhere. */
  #checkLink(path: string, target: string): void {
    if (target === '' || target.startsWith('/') || /^[A-Za-z]:|\\/.test(target))
      throw badArchive(`the link ${path} leaves the archive`);
    if (target.length > maxPath) throw badArchive(`the link ${path} points to a path that is too long`);
    let reached = parentOf(path);
    for (const part of target.split('/')) {
      if (part === '' || part === '.') continue;
      if (!this.#folders.has(reached)) throw badArchive(`the link ${path} points to nothing`);
      if (part !== '..') reached = reached === '' ? part : `${reached}/${part}`;
      else if (reached === '') throw badArchive(`the link ${path} leaves the archive`);
      else reached = parentOf(reached);
      if (this.#links.has(reached)) throw badArchive(`the link ${path} goes through another link`);
    }
    if (reached === '' || path.startsWith(`${reached}/`))
      throw badArchive(`the link ${path} points to a folder that contains it`);
    if (!this.#files.has(reached) && !this.#folders.has(reached))
      throw badArchive(`the link ${path} points to nothing`);
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
