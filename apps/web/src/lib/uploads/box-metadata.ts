import { fileOfTar } from './tar-file.ts';

/** A box's metadata; fields that it doesn't name are empty. */
export interface BoxMetadata {
  readonly provider: string;
  readonly architecture: string;
}

/** Bytes of the file to search: some tools put metadata.json after the disk. */
const searched = 256 * 1024 * 1024;
/** Limit of metadata.json in bytes. */
const longest = 64 * 1024;

/**
 * Reads metadata.json of a box: a tar archive, possibly compressed by gzip.
 * @returns undefined if it isn't near the beginning, or can't be read
 */
export async function readBoxMetadata(file: Blob): Promise<BoxMetadata | undefined> {
  try {
    const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const stream = file.slice(0, searched).stream();
    const isCompressed = magic[0] === 0x1f && magic[1] === 0x8b;
    const found = await fileOfTar(
      isCompressed ? stream.pipeThrough(new DecompressionStream('gzip')) : stream,
      'metadata.json',
      longest,
    );
    return found === undefined ? undefined : metadataIn(new TextDecoder().decode(found));
  } catch {
    // The compressed stream is cut at the search limit: the file isn't near the beginning.
    return undefined;
  }
}

function metadataIn(text: string): BoxMetadata {
  const read: unknown = JSON.parse(text);
  const { provider, architecture } = Object(read) as {
    readonly provider?: unknown;
    readonly architecture?: unknown;
  };
  return { provider: nameOr(provider), architecture: nameOr(architecture) };
}

/** A name that the registry accepts; otherwise an empty text. */
function nameOr(value: unknown): string {
  return typeof value === 'string' && /^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/.test(value) ? value : '';
}
