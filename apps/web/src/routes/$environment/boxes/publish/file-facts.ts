import { readBoxMetadata, type BoxMetadata } from '#lib/uploads/box-metadata.ts';
import { imageOfFile, type ProviderDraft } from './provider-drafts.ts';
import { architectureNamed } from './suggestions.ts';

/** What a picked file says of itself; empty where it does not. */
export interface FileFacts extends BoxMetadata {
  /** What its name says. */
  readonly named: Pick<ProviderDraft, 'name' | 'architecture'>;
}

/** Looks into a box, and at its name. */
export async function factsOf(file: File): Promise<FileFacts> {
  const found = await readBoxMetadata(file);
  return {
    provider: found?.provider ?? '',
    architecture: architectureNamed(found?.architecture ?? ''),
    named: imageOfFile(file.name),
  };
}
