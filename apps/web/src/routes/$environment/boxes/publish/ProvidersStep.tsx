import * as at from '@gatehouse/api-types/console/addresses/publish';
import {
  hasImage,
  imageKey,
  providerLabel,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import type { Provider } from '@gatehouse/api-types/console/boxes';
import {
  providerLimit,
  type ExistingDecision,
  type PublishPlan,
  type PublishRun,
} from '@gatehouse/api-types/console/publish';
import { Button } from '@gatehouse/ui/button';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { focusFirstProblem, type FieldProblems } from '#components/form/field-problems.ts';
import { FilePicker } from '#components/form/FilePicker.tsx';
import { beginSending } from '#components/publish/begin-sending.ts';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import {
  forgetImage,
  moveImage,
  pickImage,
  pickedImage,
  usePickedImages,
} from '#lib/uploads/picked-files.ts';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { clientsAreCutOff, imageIsLost } from '../-editing/image-is-lost.ts';
import { releasedBefore } from '../-version-grid/version-grid.ts';
import { changesOfProvider, type ExistingProvider } from './existing-changes.ts';
import { ExistsOffer } from './ExistsOffer.tsx';
import type { FileFacts } from './file-facts.ts';
import type { FoundUpload } from './ImageFile.tsx';
import {
  broughtDraft,
  broughtKey,
  changedDrafts,
  chooseDefault,
  collidesWith,
  draftProblems,
  draftsOf,
  imageOfDraft,
  imageOfFile,
  newDraft,
  planOfDraft,
  withDefaults,
  withMetadata,
  type ProviderDraft,
} from './provider-drafts.ts';
import { DoneProvider, ProviderFields } from './ProviderFields.tsx';
import { StepForm } from './StepForm.tsx';
import { useGoOnThere } from './use-go-on-there.ts';
import { usePlanEdit } from './use-plan-edit.ts';
import { useStep } from './use-step.ts';

// Loaded when you choose a box file.
const loadFacts = () => import('./file-facts.ts');
const noUploads: readonly FoundUpload[] = [];

/** A version's images by provider and architecture, each an address or a file to upload. A run can have several. */
export function ProvidersStep({
  run,
  place,
  onDone,
}: {
  run: PublishRun;
  place: BoxPlace;
  onDone: (run: PublishRun) => void;
}) {
  const writes = usePublishWrites(run.environment);
  const { data: box, isPending: isLookedUp } = useQuery(boxQuery(place));
  const images = usePickedImages();
  // Includes a file chosen at the start of publishing.
  const [brought] = useState(() => broughtDraft(run, pickedImage(broughtKey)));
  const [own, setDrafts] = useState<readonly ProviderDraft[]>(() => [...draftsOf(run), ...brought]);
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblems>>>({});
  const [facts, setFacts] = useState<Readonly<Record<string, FileFacts>>>({});
  const [reading, setReading] = useState<readonly string[]>([]);
  const [found, setFound] = useState<Readonly<Record<string, readonly FoundUpload[]>>>({});
  const step = useStep();
  const goOnThere = useGoOnThere(run.environment);
  const form = useRef<HTMLDivElement>(null);
  const edit = usePlanEdit(run.environment, run, (plan) => {
    setDrafts(draftsOf(plan));
  });
  const knowsArchitectures = box?.knows_architectures === true;
  const known = (providers: readonly Provider[] | undefined): readonly Provider[] =>
    knowsArchitectures
      ? (providers ?? [])
      : (providers ?? []).map((provider) => ({ ...provider, architecture: null, is_default: null }));
  const versionThere = box?.versions.find(({ version }) => version === run.version?.version);
  const there = known(versionThere?.providers);
  const drafts = withDefaults(own, there);
  const values: PublishPlan = {
    ...edit.shown,
    providers: drafts.map((draft) => planOfDraft(draft, pickedImage(draft.key))),
  };
  const unsaved = changedDrafts(drafts, draftsOf(edit.stored()));
  const imageOf = (key: string) => images.find((image) => image.key === key);
  const before = releasedBefore(run.version?.version ?? '', box?.versions ?? []);
  const taken = new Set(knowsArchitectures ? [] : drafts.map(({ name }) => name.trim().toLowerCase()));
  const planned = new Set(drafts.map((draft) => imageKey(imageOfDraft(draft))));
  const missing = known(before?.providers).filter((provider) => !planned.has(imageKey(provider)));
  const isFull =
    drafts.length >= providerLimit ? `A run can have up to ${String(providerLimit)} providers.` : undefined;

  /** Asks before a provider is replaced whose image would be lost, or whose version clients already have. */
  const guardOf = (image: ProviderImage, stored: ExistingProvider): SaveGuard | undefined => {
    const isLost = hasImage(stored);
    const isReleased = versionThere?.status === 'active';
    if (!isLost && !isReleased) return undefined;
    const label = providerLabel(image);
    return {
      harm: at.publishRuns.publishProvider.harm,
      title: `Replace ${label}?`,
      confirmLabel: 'Replace provider',
      typedName: image.name,
      impacts: [
        ...(isReleased ? [clientsAreCutOff(versionThere.version)] : []),
        ...(isLost ? [imageIsLost(label)] : []),
      ],
    };
  };
  const hasSiblings = (draft: ProviderDraft): boolean => {
    const image = imageOfDraft(draft);
    const others = [...drafts.filter(({ key }) => key !== draft.key).map(imageOfDraft), ...there];
    return others.some(
      (other) => other.name.toLowerCase() === image.name.toLowerCase() && imageKey(other) !== imageKey(image),
    );
  };
  /** Fills in the details from the file. */
  const look = async (key: string, file: File): Promise<void> => {
    setReading((all) => [...all, key]);
    try {
      const { factsOf } = await loadFacts();
      const read = await factsOf(file);
      if (pickedImage(key)?.file !== file) return;
      setFacts((all) => ({ ...all, [key]: read }));
      setDrafts((all) =>
        all.map((draft) => (draft.key === key ? withMetadata(draft, read, read.named) : draft)),
      );
    } catch {
      // You can enter them instead.
    } finally {
      setReading((all) => all.filter((one) => one !== key));
    }
  };
  const isBrought = useRef(brought.length > 0);
  useEffect(() => {
    const file = pickedImage(broughtKey)?.file;
    if (isBrought.current && file !== undefined) void look(broughtKey, file);
    isBrought.current = false;
  });
  const put = (draft: ProviderDraft): void => {
    setDrafts((all) => all.map((one) => (one.key === draft.key ? draft : one)));
    setProblems((all) => without(all, draft.key));
  };
  const pick = async (key: string, file: File): Promise<void> => {
    setProblems((all) => without(all, key));
    setFacts((all) => without(all, key));
    try {
      const picking = pickImage(key, file);
      void look(key, file);
      const fingerprint = await picking;
      const begun = run.providers.find(({ id }) => id === key)?.upload;
      if (begun?.file.fingerprint !== fingerprint) {
        // The old checksum belongs to another file.
        setDrafts((all) =>
          all.map((draft) => (draft.key === key ? { ...draft, checksum: '', checksumType: null } : draft)),
        );
      }
      const uploads = await writes.findUpload(file.size, fingerprint);
      setFound((all) => ({ ...all, [key]: uploads }));
    } catch (error) {
      if (pickedImage(key) === undefined) {
        const reason = error instanceof Error ? error.message : "The file can't be read.";
        setProblems((all) => ({ ...all, [key]: { file: `${file.name}: ${reason}` } }));
      }
      // Finding earlier uploads is optional: publishing works without it.
    }
  };
  const drop = (files: readonly File[]): void => {
    const room = providerLimit - drafts.length;
    const added = files.slice(0, room).map((file) => {
      const { name, architecture } = imageOfFile(file.name);
      return { draft: newDraft(taken.has(name) ? '' : name, 'image', architecture), file };
    });
    setDrafts((all) => [...all, ...added.map(({ draft }) => draft)]);
    for (const { draft, file } of added) void pick(draft.key, file);
  };

  const perform = async (decided?: {
    readonly id: string;
    readonly decision: ExistingDecision;
  }): Promise<void> => {
    const saved = await edit.save(values);
    if (saved === undefined) return;
    let current = saved;
    for (const draft of drafts) {
      const stored = current.providers.find(
        (provider) => imageKey(provider) === imageKey(imageOfDraft(draft)),
      );
      if (stored !== undefined) moveImage(draft.key, stored.id);
    }
    setDrafts(draftsOf(current));
    let failed: unknown;
    for (const {
      id,
      step: { state },
    } of current.providers) {
      if (state === 'done') continue;
      try {
        current = await writes.provider(run.id, id, decided?.id === id ? decided.decision : undefined);
      } catch (error) {
        // Try the others too; each reports its result.
        failed ??= error;
      }
    }
    for (const { id, source, step: done, ready } of current.providers) {
      if (source.kind === 'image' && done.state === 'done' && !ready) {
        await beginSending(writes, run.id, id);
      }
    }
    edit.adopt(current);
    if (failed !== undefined) throw failed;
    if (current.providers.every((provider) => provider.step.state === 'done')) {
      step.leave(() => {
        onDone(current);
      });
    }
  };
  const submit = (): void => {
    const all = Object.fromEntries(
      drafts.map((draft) => [draft.key, draftProblems(draft, drafts, imageOf(draft.key))]),
    );
    setProblems(all);
    if (Object.values(all).some((one) => Object.keys(one).length > 0)) focusFirstProblem(form.current);
    else void step.run(() => perform());
  };
  if (isLookedUp) return <Skeleton />;
  return (
    <StepForm
      title="Choose providers"
      intro="Each provider has its own image, or one for each architecture. The browser computes checksums, and the console verifies each file while it delivers it to the registry."
      submitLabel="Create the providers and continue"
      step={step}
      run={run}
      unsaved={unsaved}
      edit={edit}
      values={values}
      disabledReason={
        drafts.length === 0
          ? 'Add a provider first.'
          : reading.length > 0
            ? 'metadata.json in the file is still being read.'
            : undefined
      }
      onSubmit={submit}
    >
      <div ref={form} className="flex flex-col gap-4">
        {drafts.map((draft, index) => {
          const stored = run.providers.find(({ id }) => id === draft.key);
          if (stored?.step.state === 'done') return <DoneProvider key={draft.key} provider={stored} />;
          return (
            <div key={draft.key} className="flex flex-col gap-2">
              <ProviderFields
                environment={run.environment}
                run={run.id}
                number={index + 1}
                draft={draft}
                stored={stored}
                image={imageOf(draft.key)}
                found={found[draft.key] ?? noUploads}
                facts={facts[draft.key]}
                knowsArchitectures={knowsArchitectures}
                isTwice={collidesWith(draft, drafts) !== undefined}
                hasSiblings={hasSiblings(draft)}
                taken={taken}
                problems={problems[draft.key] ?? {}}
                onChange={put}
                onMakeDefault={() => {
                  setDrafts(chooseDefault(drafts, draft.key));
                }}
                onPick={(file) => void pick(draft.key, file)}
                onForget={() => {
                  forgetImage(draft.key);
                }}
                onGoOnThere={(there) =>
                  void step.run(async () => {
                    const others = drafts.filter(({ key }) => key !== draft.key);
                    if (changedDrafts(others, draftsOf(edit.stored())) === 0) step.leave(() => undefined);
                    await goOnThere(draft.key, there);
                    setDrafts(others);
                  })
                }
                onRemove={() => {
                  forgetImage(draft.key);
                  setDrafts((all) => all.filter(({ key }) => key !== draft.key));
                }}
              />
              {stored?.stored != null && (
                <ExistsOffer
                  what={`Provider ${providerLabel(stored)}`}
                  stored={stored.stored}
                  changes={changesOfProvider(
                    stored.stored,
                    planOfDraft(draft, imageOf(draft.key)),
                    imageOf(draft.key)?.file.name,
                  )}
                  useLabel={stored.source.kind === 'image' ? 'Keep its image' : undefined}
                  updateLabel={stored.source.kind === 'image' ? 'Replace its image' : 'Use my values'}
                  detail="The version already has this provider. You can leave it unchanged, or replace it with what you entered."
                  isPending={step.isPending}
                  guard={guardOf(stored, stored.stored)}
                  onChoose={(decision) => void step.run(() => perform({ id: stored.id, decision }))}
                />
              )}
            </div>
          );
        })}
        <FilePicker label="Images to publish" buttonLabel="Choose images" isMultiple onPick={drop}>
          or drop several here. Each becomes a provider.
        </FilePicker>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size={28}
            icon={Plus}
            disabledReason={isFull}
            onPress={() => {
              setDrafts([...drafts, newDraft('', 'url')]);
            }}
          >
            Add a provider
          </Button>
          {before !== undefined &&
            missing.map((provider) => (
              <Button
                key={imageKey(provider)}
                size={28}
                icon={Plus}
                disabledReason={isFull}
                onPress={() => {
                  const { name, architecture } = provider;
                  setDrafts([...drafts, newDraft(name, 'image', architecture ?? '')]);
                }}
              >
                Add {providerLabel(provider)}, as in {before.version}
              </Button>
            ))}
        </div>
      </div>
    </StepForm>
  );
}

function without<Value>(all: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(all).filter(([one]) => one !== key));
}
