import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { TextField } from '@gatehouse/ui/text-field';
import { knownArchitectures } from '../known-providers.ts';
import type { FileFacts } from './file-facts.ts';
import { imageOfDraft, type ProviderDraft } from './provider-drafts.ts';

/** An image's architecture, with its source, and whether it is its provider's default. */
export function ArchitectureFields({
  draft,
  facts,
  isTwice,
  hasSiblings,
  error,
  onChange,
  onMakeDefault,
}: {
  draft: ProviderDraft;
  facts: FileFacts | undefined;
  isTwice: boolean;
  hasSiblings: boolean;
  error: string | undefined;
  onChange: (draft: ProviderDraft) => void;
  onMakeDefault: () => void;
}) {
  const label = providerLabel(imageOfDraft(draft));
  const said = facts?.architecture ?? '';
  const proposed = said !== '' ? [said] : knownArchitectures.slice(0, 4);
  const choose = (architecture: string): void => {
    onChange({ ...draft, architecture });
  };
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Architecture"
        isMono
        autoComplete="off"
        spellCheck="false"
        description={sourceWords(draft.architecture, facts)}
        value={draft.architecture}
        onChange={choose}
        error={
          error ??
          (isTwice
            ? `Another image here is also for ${label}. Change the architecture of one image, or remove one.`
            : undefined)
        }
      />
      {proposed.some((one) => draft.architecture === '' || (said !== '' && one !== draft.architecture)) && (
        <div role="group" aria-label="Known architectures" className="flex flex-wrap gap-1.5">
          {proposed.map((architecture) => (
            <Button
              key={architecture}
              size={28}
              onPress={() => {
                choose(architecture);
              }}
            >
              {architecture}
            </Button>
          ))}
        </div>
      )}
      {hasSiblings && (
        <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
          {draft.isDefault ? (
            <>
              <Badge tone="info">Default architecture</Badge>
              <span className="text-meta text-ink-2">
                Used by clients that don't request an architecture, including old ones that don't support
                architectures.
              </span>
            </>
          ) : (
            <Button size={28} onPress={onMakeDefault}>
              Make it the default<span className="sr-only"> architecture of {draft.name}</span>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Where the architecture comes from, or what to enter. */
function sourceWords(architecture: string, facts: FileFacts | undefined): string {
  const said = facts?.architecture ?? '';
  if (said !== '') {
    return said === architecture
      ? 'From metadata.json in the file.'
      : `The file's metadata.json names the architecture ${said}.`;
  }
  if (architecture !== '' && facts?.named.architecture === architecture) {
    return 'From the file name, because metadata.json names no architecture.';
  }
  return "The image's machine architecture, by Vagrant's name for it. Leave empty if unknown.";
}
