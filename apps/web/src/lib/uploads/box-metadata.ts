import { fileOfTar } from './tar-file.ts';

/** A box's metadata; fields that it doesn't name are empty. */
export interface BoxMetadata {
  readonly provider: string;
  readonly architecture: string;
  /**
   * `missing`: the archive has no metadata.json; `unreadable`: the archive or metadata.json is invalid or incomplete;
   * `unchecked`: metadata.json isn't near the beginning, or the browser can't decompress the file.
   */
  readonly state: 'found' | 'missing' | 'unreadable' | 'unchecked';
}

/** Bytes of the file to search: some tools put metadata.json after the disk. */
const searched = 256 * 1024 * 1024;
/** First bytes of formats that Vagrant unpacks and browsers don't: xz, bzip2, zstd, zip. */
const otherFormats = [
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x42, 0x5a, 0x68],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x4b, 0x03, 0x04],
];
/** Limit of metadata.json in bytes. */
const longest = 64 * 1024;

/** Reads metadata.json of a box: a tar archive, possibly compressed by gzip. */
export async function readBoxMetadata(file: Blob): Promise<BoxMetadata> {
  const nothing = { provider: '', architecture: '' };
  const isCut = file.size > searched;
  try {
    const magic = new Uint8Array(await file.slice(0, 6).arrayBuffer());
    if (otherFormats.some((bytes) => bytes.every((byte, at) => magic[at] === byte)))
      return { ...nothing, state: 'unchecked' };
    const stream = file.slice(0, searched).stream();
    const isCompressed = magic[0] === 0x1f && magic[1] === 0x8b;
    const found = await fileOfTar(
      isCompressed ? stream.pipeThrough(new DecompressionStream('gzip')) : stream,
      'metadata.json',
      longest,
    );
    if (found === 'missing') return { ...nothing, state: 'missing' };
    if (found === 'cut' && isCut) return { ...nothing, state: 'unchecked' };
    if (typeof found === 'string') return { ...nothing, state: 'unreadable' };
    return metadataIn(new TextDecoder().decode(found));
  } catch {
    // A compressed stream that is cut at the search limit fails, too.
    return { ...nothing, state: isCut ? 'unchecked' : 'unreadable' };
  }
}

function metadataIn(text: string): BoxMetadata {
  const read: unknown = JSON.parse(text);
  const { provider, architecture } = Object(read) as {
    readonly provider?: unknown;
    readonly architecture?: unknown;
  };
  return { provider: nameOr(provider), architecture: nameOr(architecture), state: 'found' };
}

/** A name that the registry accepts; otherwise an empty text. */
function nameOr(value: unknown): string {
  return typeof value === 'string' && /^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/.test(value) ? value : '';
}
