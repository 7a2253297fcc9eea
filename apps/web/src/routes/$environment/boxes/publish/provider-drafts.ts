/** Providers in the form, before they are saved in the plan. */
import { imageKey, unknownArchitecture, type ProviderImage } from '@gatehouse/api-types/console/box-values';
import { checksumProblem, type ChecksumType } from '@gatehouse/api-types/console/boxes';
import { planProvider, type PlanProvider, type PublishPlan } from '@gatehouse/api-types/console/publish';
import { deepEqual } from '@gatehouse/record-merge/equal';
import { problemsOf, type FieldProblems } from '#components/form/field-problems.ts';
import type { BoxMetadata } from '#lib/uploads/box-metadata.ts';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { isNewProviderId, newProviderId } from './plan-words.ts';
import { architectureNamed, architectureOfFile, providerOfFile } from './suggestions.ts';

export interface ProviderDraft {
  /** The provider's ID once saved; before, a temporary one. */
  readonly key: string;
  readonly isSaved: boolean;
  readonly name: string;
  /** Empty if unknown. */
  readonly architecture: string;
  /** Whether it should be the default architecture of its name; see `withDefaults`. */
  readonly isDefault: boolean;
  readonly kind: 'image' | 'url';
  readonly url: string;
  readonly checksum: string;
  readonly checksumType: ChecksumType | null;
}

/** The drafts of a plan; unsaved ones have temporary IDs. */
export function draftsOf({ providers }: Pick<PublishPlan, 'providers'>): readonly ProviderDraft[] {
  return providers.map(({ id = newProviderId(), source, checksum, checksum_type, ...provider }) => ({
    key: id,
    isSaved: !isNewProviderId(id),
    name: provider.name,
    architecture: provider.architecture === unknownArchitecture ? '' : provider.architecture,
    isDefault: provider.is_default,
    kind: source.kind,
    url: source.kind === 'url' ? source.url : '',
    checksum,
    checksumType: checksum_type,
  }));
}

/** The key of a file that was chosen before it had a provider. */
export const broughtKey = 'new-brought';

/** The draft for a file chosen at the start of publishing; none without a file. */
export function broughtDraft(
  { providers }: Pick<PublishPlan, 'providers'>,
  image: Pick<PickedImage, 'file'> | undefined,
): readonly ProviderDraft[] {
  if (image === undefined) return [];
  const { name, architecture } = imageOfFile(image.file.name);
  const key = imageKey({ name, architecture: architecture || null });
  const isTaken = providers.some((provider) => imageKey(provider) === key);
  return [{ ...newDraft(isTaken ? '' : name, 'image', architecture), key: broughtKey }];
}

/** Guesses the provider and architecture from the file name. */
export function imageOfFile(fileName: string): Pick<ProviderDraft, 'name' | 'architecture'> {
  return { name: providerOfFile(fileName), architecture: architectureOfFile(fileName) };
}

export function newDraft(name: string, kind: ProviderDraft['kind'], architecture = ''): ProviderDraft {
  return {
    key: newProviderId(),
    isSaved: false,
    name,
    architecture,
    isDefault: false,
    kind,
    url: '',
    checksum: '',
    checksumType: null,
  };
}

export function imageOfDraft({
  name,
  architecture,
}: Pick<ProviderDraft, 'name' | 'architecture'>): ProviderImage {
  return { name: name.trim(), architecture: architecture.trim() || unknownArchitecture };
}

/** An image that the version already has. */
export type StoredImage = ProviderImage & { readonly is_default: boolean | null };

/**
 * Gives each name one default: the one you chose, else the registry's, else the first. None is needed if the version's
 * default is another image.
 * @param stored the version's existing images
 */
export function withDefaults(
  drafts: readonly ProviderDraft[],
  stored: readonly StoredImage[],
): readonly ProviderDraft[] {
  const keyOf = (draft: ProviderDraft): string => imageKey(imageOfDraft(draft));
  const defaults = new Map<string, string>();
  for (const { name } of drafts) {
    const key = name.trim().toLowerCase();
    if (defaults.has(key)) continue;
    const alike = drafts.filter((draft) => draft.name.trim().toLowerCase() === key);
    const there = stored.filter((image) => image.name.toLowerCase() === key);
    const present = there.find(({ is_default }) => is_default !== false);
    const chosen =
      alike.find(({ isDefault }) => isDefault) ??
      (present === undefined ? alike[0] : alike.find((draft) => keyOf(draft) === imageKey(present)));
    if (chosen !== undefined) defaults.set(key, chosen.key);
  }
  return drafts.map((draft) => {
    // A draft without a name isn't a default.
    const name = draft.name.trim().toLowerCase();
    const isDefault = name !== '' && defaults.get(name) === draft.key;
    return isDefault === draft.isDefault ? draft : { ...draft, isDefault };
  });
}

/** Makes a draft the default of its name. */
export function chooseDefault(drafts: readonly ProviderDraft[], key: string): readonly ProviderDraft[] {
  const name = drafts
    .find((draft) => draft.key === key)
    ?.name.trim()
    .toLowerCase();
  return drafts.map((draft) =>
    draft.name.trim().toLowerCase() === name ? { ...draft, isDefault: draft.key === key } : draft,
  );
}

/**
 * Fills in a box's metadata, unless you typed other values.
 * @param guessed the values filled in from the file name
 */
export function withMetadata(
  draft: ProviderDraft,
  found: Pick<BoxMetadata, 'provider' | 'architecture'>,
  guessed: Pick<ProviderDraft, 'name' | 'architecture'>,
): ProviderDraft {
  const architecture = architectureNamed(found.architecture);
  const isFree = (value: string, guess: string): boolean => value === '' || value === guess;
  return {
    ...draft,
    ...(found.provider !== '' && isFree(draft.name, guessed.name) && { name: found.provider }),
    ...(architecture !== '' && isFree(draft.architecture, guessed.architecture) && { architecture }),
  };
}

/** The provider for the plan. An image gets the computed checksum if it is ready and none is known. */
export function planOfDraft(draft: ProviderDraft, image: PickedImage | undefined): PlanProvider {
  const { key, isDefault, kind, url } = draft;
  const { name, architecture } = imageOfDraft(draft);
  const computed = kind === 'image' && draft.checksum === '' ? image?.sha256 : undefined;
  const checksum = computed ?? draft.checksum.trim().toLowerCase();
  const type = computed === undefined ? draft.checksumType : 'sha256';
  return {
    id: key,
    name,
    architecture: architecture ?? unknownArchitecture,
    is_default: isDefault,
    source: kind === 'url' ? { kind, url: url.trim() } : { kind },
    checksum,
    checksum_type: checksum === '' ? null : type,
  };
}

/** A draft's problems by field, including collisions with the others. */
export function draftProblems(
  draft: ProviderDraft,
  others: readonly ProviderDraft[],
  image: PickedImage | undefined,
): FieldProblems {
  const found = problemsOf(planProvider, { ...planOfDraft(draft, image), id: undefined });
  const checksum =
    draft.kind === 'url' ? checksumProblem(draft.checksum.trim(), draft.checksumType) : undefined;
  return {
    ...found,
    ...(found['name'] === undefined && collidesWith(draft, others) !== undefined && { twice: 'twice' }),
    ...(checksum !== undefined && { checksum }),
    ...(draft.kind === 'image' && !draft.isSaved && image === undefined && { file: 'Choose the image.' }),
  };
}

/** Another draft with the same provider and architecture; undefined if none, or the name is empty. */
export function collidesWith(
  draft: ProviderDraft,
  others: readonly ProviderDraft[],
): ProviderDraft | undefined {
  const key = imageKey(imageOfDraft(draft));
  if (draft.name.trim() === '') return undefined;
  return others.find((other) => other.key !== draft.key && imageKey(imageOfDraft(other)) === key);
}

/** The number of drafts that differ from the saved ones, including removed ones. */
export function changedDrafts(drafts: readonly ProviderDraft[], saved: readonly ProviderDraft[]): number {
  const removed = saved.filter(({ key }) => !drafts.some((draft) => draft.key === key)).length;
  const changed = drafts.filter(
    (draft) => !saved.some((one) => one.key === draft.key && deepEqual(one, draft)),
  ).length;
  return removed + changed;
}
