import type { FileFacts } from './file-facts.ts';
import type { ProviderDraft } from './provider-drafts.ts';

export interface FileWords {
  readonly tone: 'warn' | 'info';
  readonly title: string;
  readonly detail: string;
}

/** What to say about a file that doesn't match its image, or that isn't a box; undefined if it is fine. */
export function fileWords(
  { state, provider, architecture }: Omit<FileFacts, 'named'>,
  draft: Pick<ProviderDraft, 'name' | 'architecture'>,
): FileWords | undefined {
  const fix = 'Choose another file, or change the image.';
  switch (state) {
    case 'missing':
      return {
        tone: 'warn',
        title: 'This file has no metadata.json',
        detail: "Vagrant can't add a box without it. Choose another file.",
      };
    case 'unreadable':
      return {
        tone: 'warn',
        title: "This file can't be read as a box",
        detail:
          "A box is a tar archive, possibly compressed, with a metadata.json. This file isn't one, or is incomplete. Choose another file.",
      };
    case 'unchecked':
      return {
        tone: 'info',
        title: 'The content of this file was not checked',
        detail:
          "Its metadata.json isn't in the first 256 MiB, or the browser can't decompress it. Make sure that the provider and the architecture are right.",
      };
    case 'found':
  }
  const name = draft.name.trim();
  const wanted = draft.architecture.trim();
  if (provider === '')
    return {
      tone: 'warn',
      title: "This file's metadata.json names no provider",
      detail: "Vagrant can't add a box without one. Choose another file.",
    };
  if (name !== '' && provider !== name)
    return {
      tone: 'warn',
      title: `This file is for ${provider}, not ${name}`,
      detail: `Its metadata.json names the provider ${provider}, so Vagrant refuses it as ${name}. ${fix}`,
    };
  if (architecture !== '' && wanted !== '' && architecture !== wanted)
    return {
      tone: 'warn',
      title: `This file is for ${architecture}, not ${wanted}`,
      detail: `Its metadata.json names the architecture ${architecture}. ${fix}`,
    };
  return undefined;
}
