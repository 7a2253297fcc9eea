import { isConfiguration } from './files.ts';

/** Most bytes of one file, and of all files. */
export interface TextBounds {
  readonly fileBytes: number;
  readonly textBytes: number;
}

interface Kind {
  readonly what: string;
  readonly bounds: TextBounds;
  /** Paths and their total bytes in reading priority: the module itself, then submodules, then examples. */
  readonly ranks: readonly { readonly paths: string[]; bytes: number }[];
}

/**
 * The files read from an archive, whatever their order in it. If they don't all fit, the module itself takes precedence
 * over its submodules, and these over its examples. The reason is recorded for each file left out.
 */
export class KeptTexts {
  readonly texts = new Map<string, Buffer>();
  /** Why files were not read, by path. */
  readonly unread = new Map<string, string>();
  readonly #configuration: Kind;
  readonly #readmes: Kind;

  constructor(configuration: TextBounds, readmes: TextBounds) {
    this.#configuration = kindOf('.tf files', configuration);
    this.#readmes = kindOf('READMEs', readmes);
  }

  /** @returns a buffer for the file's bytes; undefined if the file is left out */
  take(path: string, size: number): Buffer | undefined {
    const kind = isConfiguration(path) ? this.#configuration : this.#readmes;
    const { bounds, ranks } = kind;
    if (size > bounds.fileBytes) {
      this.unread.set(path, `It has more than the ${kib(bounds.fileBytes)} that can be read from a file`);
      return undefined;
    }
    const rank = rankOf(path);
    const bytesFrom = (from: number): number => ranks.slice(from).reduce((sum, { bytes }) => sum + bytes, 0);
    if (bytesFrom(0) - bytesFrom(rank + 1) + size > bounds.textBytes) {
      this.#leaveOut(path, kind);
      return undefined;
    }
    for (let last = ranks.length - 1; bytesFrom(0) + size > bounds.textBytes;) {
      const dropped = ranks[last]?.paths.pop();
      if (dropped === undefined) last--;
      else {
        const own = ranks[last];
        if (own !== undefined) own.bytes -= this.texts.get(dropped)?.length ?? 0;
        this.texts.delete(dropped);
        this.#leaveOut(dropped, kind);
      }
    }
    const own = ranks[rank];
    own?.paths.push(path);
    if (own !== undefined) own.bytes += size;
    const bytes = Buffer.alloc(size);
    this.texts.set(path, bytes);
    return bytes;
  }

  #leaveOut(path: string, { what, bounds }: Kind): void {
    this.unread.set(path, `The ${what} before it already use the ${kib(bounds.textBytes)} that can be read`);
  }
}

function kindOf(what: string, bounds: TextBounds): Kind {
  return { what, bounds, ranks: [0, 1, 2].map(() => ({ paths: [], bytes: 0 })) };
}

function rankOf(path: string): 0 | 1 | 2 {
  if (path.startsWith('examples/')) return 2;
  return path.startsWith('modules/') ? 1 : 0;
}

function kib(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 1024} KiB` : `${bytes / 2 ** 20} MiB`;
}
