import { fileOfTar } from './tar-file.ts';

/** What a box says of itself; empty where it does not. */
export interface BoxMetadata {
  readonly provider: string;
  readonly architecture: string;
}

/** Bytes of the file that are read at most: some tools put metadata.json after the disk. */
const searched = 256 * 1024 * 1024;
/** Bytes of a metadata.json at most. */
const longest = 64 * 1024;

/**
 * Reads metadata.json of a box, which is a tar archive, compressed by gzip or not.
 * @returns undefined where it is not found near the beginning, or cannot be read
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
    // The end of what is searched breaks the compressed stream: it is not near the beginning.
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

/** A name such as the registry takes; anything else is none. */
function nameOr(value: unknown): string {
  return typeof value === 'string' && /^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/.test(value) ? value : '';
}
