/** Providers as they are filled in, before they are saved in the plan. */
import { checksumProblem, type ChecksumType } from '@gatehouse/api-types/console/boxes';
import { planProvider, type PlanProvider, type PublishPlan } from '@gatehouse/api-types/console/publish';
import { deepEqual } from '@gatehouse/record-merge/equal';
import { problemsOf, type FieldProblems } from '#components/form/field-problems.ts';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { isNewProviderId, newProviderId } from './plan-words.ts';
import { providerOfFile } from './suggestions.ts';

export interface ProviderDraft {
  /** The provider's id once it is saved; else of this page. */
  readonly key: string;
  readonly isSaved: boolean;
  readonly name: string;
  readonly kind: 'image' | 'url';
  readonly url: string;
  readonly checksum: string;
  readonly checksumType: ChecksumType | null;
}

/** Those of a plan; the ones that are not saved have ids of this page. */
export function draftsOf({ providers }: Pick<PublishPlan, 'providers'>): readonly ProviderDraft[] {
  return providers.map(({ id = newProviderId(), name, source, checksum, checksum_type }) => ({
    key: id,
    isSaved: !isNewProviderId(id),
    name,
    kind: source.kind,
    url: source.kind === 'url' ? source.url : '',
    checksum,
    checksumType: checksum_type,
  }));
}

/** Under which a file is kept that was picked before there was a provider. */
export const broughtKey = 'new-brought';

/** The draft for a file that was picked where publishing began; none where there is no such file. */
export function broughtDraft(
  { providers }: Pick<PublishPlan, 'providers'>,
  image: Pick<PickedImage, 'file'> | undefined,
): readonly ProviderDraft[] {
  if (image === undefined) return [];
  const name = providerOfFile(image.file.name);
  const isTaken = providers.some((provider) => provider.name === name);
  return [{ ...newDraft(isTaken ? '' : name, 'image'), key: broughtKey }];
}

export function newDraft(name: string, kind: ProviderDraft['kind']): ProviderDraft {
  return { key: newProviderId(), isSaved: false, name, kind, url: '', checksum: '', checksumType: null };
}

/** The provider to plan. The checksum of an image is the one that was computed, where there is one by now. */
export function planOfDraft(draft: ProviderDraft, image: PickedImage | undefined): PlanProvider {
  const { key, name, kind, url } = draft;
  const computed = kind === 'image' && draft.checksum === '' ? image?.sha256 : undefined;
  const checksum = computed ?? draft.checksum.trim().toLowerCase();
  const type = computed === undefined ? draft.checksumType : 'sha256';
  return {
    id: key,
    name: name.trim(),
    source: kind === 'url' ? { kind, url: url.trim() } : { kind },
    checksum,
    checksum_type: checksum === '' ? null : type,
  };
}

/** What is wrong with a draft among the others, by field. */
export function draftProblems(
  draft: ProviderDraft,
  others: readonly ProviderDraft[],
  image: PickedImage | undefined,
): FieldProblems {
  const found = problemsOf(planProvider, { ...planOfDraft(draft, image), id: undefined });
  const name = draft.name.trim().toLowerCase();
  const isTwice = others.some((other) => other.key !== draft.key && other.name.trim().toLowerCase() === name);
  const checksum =
    draft.kind === 'url' ? checksumProblem(draft.checksum.trim(), draft.checksumType) : undefined;
  return {
    ...found,
    ...(found['name'] === undefined && isTwice && { name: 'Another provider has this name.' }),
    ...(checksum !== undefined && { checksum }),
    ...(draft.kind === 'image' && !draft.isSaved && image === undefined && { file: 'Choose the image.' }),
  };
}

/** How many drafts are not as they are saved, those that were taken away too. */
export function changedDrafts(drafts: readonly ProviderDraft[], saved: readonly ProviderDraft[]): number {
  const removed = saved.filter(({ key }) => !drafts.some((draft) => draft.key === key)).length;
  const changed = drafts.filter(
    (draft) => !saved.some((one) => one.key === draft.key && deepEqual(one, draft)),
  ).length;
  return removed + changed;
}
