import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { checksumTypes, type ChecksumType } from '@gatehouse/api-types/console/boxes';
import type { RunProvider } from '@gatehouse/api-types/console/publish';
import { StatusDot } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import { TextField } from '@gatehouse/ui/text-field';
import { Trash2 } from 'lucide-react';
import type { FieldProblems } from '#components/form/field-problems.ts';
import { FilePicker } from '#components/form/FilePicker.tsx';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { knownProviders } from '../known-providers.ts';
import { ArchitectureFields } from './ArchitectureFields.tsx';
import type { FileFacts } from './file-facts.ts';
import { fileWords } from './file-words.ts';
import { ImageFile, type FoundUpload } from './ImageFile.tsx';
import { imageOfDraft, type ProviderDraft } from './provider-drafts.ts';

/** One image of the run: provider, architecture and location. */
export function ProviderFields({
  environment,
  run,
  number,
  draft,
  stored,
  image,
  found,
  facts,
  knowsArchitectures,
  isTwice,
  hasSiblings,
  taken,
  problems,
  onChange,
  onMakeDefault,
  onPick,
  onForget,
  onGoOnThere,
  onRemove,
}: {
  environment: string;
  run: string;
  number: number;
  draft: ProviderDraft;
  /** The saved provider with its result. */
  stored: RunProvider | undefined;
  image: PickedImage | undefined;
  found: readonly FoundUpload[];
  /** The details read from its file. */
  facts: FileFacts | undefined;
  /** Whether the registry supports several architectures per provider. */
  knowsArchitectures: boolean;
  /** Whether another image has the same provider and architecture. */
  isTwice: boolean;
  /** Whether the provider has, or will have, other architectures. */
  hasSiblings: boolean;
  /** Providers to leave out of the suggestions. */
  taken: ReadonlySet<string>;
  problems: FieldProblems;
  onChange: (draft: ProviderDraft) => void;
  onMakeDefault: () => void;
  onPick: (file: File) => void;
  onForget: () => void;
  /** Resumes an earlier upload with this file. */
  onGoOnThere: (found: FoundUpload) => void;
  onRemove: () => void;
}) {
  const label = providerLabel(imageOfDraft(draft));
  // Images that collide are numbered.
  const title =
    draft.name === '' ? `Provider ${String(number)}` : isTwice ? `${label}, image ${String(number)}` : label;
  const said =
    facts !== undefined && draft.kind === 'image' && image !== undefined
      ? fileWords(facts, draft)
      : undefined;
  const saysOther = facts !== undefined && facts.provider !== '' && facts.provider !== draft.name.trim();
  return (
    <section
      aria-label={title}
      className="flex flex-col gap-4 rounded-control border border-line bg-surface p-4"
    >
      <div className="flex min-h-7 items-center gap-3">
        <h3 className="min-w-0 flex-1 truncate text-body font-semibold text-ink-1">{title}</h3>
        {stored !== undefined && <StepDot state={stored.step.state} />}
        <Button size={28} variant="ghost" icon={Trash2} onPress={onRemove}>
          Remove<span className="sr-only"> {title}</span>
        </Button>
      </div>
      <div className="flex flex-col gap-2">
        <TextField
          label="Name"
          isRequired
          isMono
          autoComplete="off"
          spellCheck="false"
          description={
            saysOther
              ? `The file's metadata.json names the provider ${facts.provider}.`
              : "Vagrant's name for the provider."
          }
          value={draft.name}
          onChange={(name) => {
            onChange({ ...draft, name });
          }}
          error={
            problems['name'] ??
            (isTwice && !knowsArchitectures
              ? 'Another provider in this run has this name. Rename or remove one.'
              : undefined)
          }
        />
        {draft.name === '' && (
          <div role="group" aria-label="Known providers" className="flex flex-wrap gap-1.5">
            {knownProviders
              .filter((name) => !taken.has(name))
              .map((name) => (
                <Button
                  key={name}
                  size={28}
                  onPress={() => {
                    onChange({ ...draft, name });
                  }}
                >
                  {name}
                </Button>
              ))}
          </div>
        )}
      </div>
      {knowsArchitectures && (
        <ArchitectureFields
          draft={draft}
          facts={facts}
          isTwice={isTwice}
          hasSiblings={hasSiblings}
          error={problems['architecture']}
          onChange={onChange}
          onMakeDefault={onMakeDefault}
        />
      )}
      <RadioGroup
        label="Image"
        look="card"
        direction="row"
        value={draft.kind}
        onChange={(kind) => {
          onChange({ ...draft, kind: kind === 'url' ? 'url' : 'image' });
        }}
        options={[
          { value: 'image', label: 'A file', description: 'Uploaded to the registry.' },
          { value: 'url', label: 'An address', description: 'Clients download the image from this address.' },
        ]}
      />
      {draft.kind === 'url' ? (
        <>
          <TextField
            label="Address"
            type="url"
            isRequired
            isMono
            autoComplete="off"
            placeholder="https://images.example.com/base.box"
            value={draft.url}
            onChange={(url) => {
              onChange({ ...draft, url });
            }}
            error={problems['source.url'] ?? problems['source']}
          />
          <div className="grid grid-cols-1 gap-4 narrow:grid-cols-[160px_1fr]">
            <Select
              label="Checksum type"
              options={[
                { id: 'none', label: 'None' },
                ...checksumTypes.map((type) => ({ id: type, label: type.toUpperCase() })),
              ]}
              value={draft.checksumType ?? 'none'}
              onChange={(type) => {
                onChange({
                  ...draft,
                  checksumType: isChecksumType(type) ? type : null,
                  ...(type === 'none' && { checksum: '' }),
                });
              }}
            />
            {draft.checksumType !== null && (
              <TextField
                label="Checksum"
                isMono
                autoComplete="off"
                spellCheck="false"
                value={draft.checksum}
                onChange={(checksum) => {
                  onChange({ ...draft, checksum });
                }}
                error={problems['checksum']}
              />
            )}
          </div>
        </>
      ) : image === undefined ? (
        <FilePicker
          label={`Image for ${title}`}
          buttonLabel={draft.isSaved ? 'Choose the image again' : 'Choose the image'}
          error={problems['file']}
          onPick={([file]) => {
            if (file !== undefined) onPick(file);
          }}
        >
          {stored?.upload != null ? `or drop ${stored.upload.file.name} here.` : 'or drop it here.'}
        </FilePicker>
      ) : (
        <ImageFile
          environment={environment}
          run={run}
          image={image}
          found={found}
          onGoOnThere={onGoOnThere}
          onRemove={onForget}
        />
      )}
      {said && (
        <Banner tone={said.tone} title={said.title}>
          {said.detail}
        </Banner>
      )}
      {stored?.step.problem != null && (
        <p role="alert" className="text-body text-danger">
          {stored.step.problem.detail}
        </p>
      )}
    </section>
  );
}

/** A provider in the registry, which can be edited only on its version's page. */
export function DoneProvider({ provider }: { provider: RunProvider }) {
  const { source, upload, step } = provider;
  const name = providerLabel(provider);
  return (
    <section
      aria-label={name}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-surface px-4 py-3"
    >
      <h3 className="text-body font-semibold text-ink-1">{name}</h3>
      <span className="min-w-0 flex-1 basis-48 font-mono text-meta text-ink-2 wrap-anywhere">
        {source.kind === 'url' ? source.url : (upload?.file.name ?? '')}
      </span>
      <StepDot state={step.state} />
    </section>
  );
}

function isChecksumType(value: string): value is ChecksumType {
  return checksumTypes.some((type) => type === value);
}

function StepDot({ state }: { state: RunProvider['step']['state'] }) {
  const { tone, word } = (
    {
      planned: { tone: 'neutral', word: 'Not in the registry yet' },
      exists: { tone: 'info', word: 'Already in the registry' },
      done: { tone: 'ok', word: 'In the registry' },
      failed: { tone: 'danger', word: 'Failed' },
    } as const
  )[state];
  return <StatusDot tone={tone}>{word}</StatusDot>;
}
