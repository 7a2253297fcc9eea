import { readBoxMetadata, type BoxMetadata } from '#lib/uploads/box-metadata.ts';
import { imageOfFile, type ProviderDraft } from './provider-drafts.ts';
import { architectureNamed } from './suggestions.ts';

/** The details read from a chosen file; empty if it has none. */
export interface FileFacts extends BoxMetadata {
  /** From the file name. */
  readonly named: Pick<ProviderDraft, 'name' | 'architecture'>;
}

/** Reads a box file's metadata and name. */
export async function factsOf(file: File): Promise<FileFacts> {
  const found = await readBoxMetadata(file);
  return {
    ...found,
    architecture: architectureNamed(found.architecture),
    named: imageOfFile(file.name),
  };
}
