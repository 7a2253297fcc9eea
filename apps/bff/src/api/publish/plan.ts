/** Saves a plan again: parts that are done stay done, and changed parts must be done again. */
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { PlanProvider, PublishPlan } from '@gatehouse/api-types/console/publish';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { sorted } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import { planned, type StoredPlan, type StoredProvider } from '#uploads/runs.ts';

const nothing: StoredPlan = { box: null, version: null, providers: [], release: planned };

/** A new plan with nothing done. */
export function newPlan(plan: PublishPlan): StoredPlan {
  return changedPlan(nothing, plan, () => false);
}

/**
 * @param isFixed whether a provider's image is in the registry or on its way there
 * @throws ProblemError `invalid-request` for a change of a part that is done
 */
export function changedPlan(
  before: StoredPlan,
  { box, version, providers }: PublishPlan,
  isFixed: (providerId: string) => boolean,
): StoredPlan {
  return {
    box: step('box', before.box, box),
    version: step('version', before.version, version),
    providers: providers.map((provider) => changedProvider(before, provider, isFixed)),
    release: before.release,
  };
}

/** A part of the plan with its step's result. */
type Stepped<Part, Found> = Part & { readonly step: StoredPlan['release']; readonly stored: Found | null };

function step<Part extends object, Found>(
  name: 'box' | 'version',
  before: Stepped<Part, Found> | null,
  part: Part | null,
): Stepped<Part, Found> | null {
  if (before !== null) {
    const { step: known, stored: _found, ...rest } = before;
    if (part !== null && isSame(rest, part)) return before;
    if (known.state === 'done') {
      throw new ProblemError(
        'invalid-request',
        `The ${name} is already in the registry, so its plan can't be changed.`,
      );
    }
  }
  return part === null ? null : { ...part, step: planned, stored: null };
}

function changedProvider(
  { providers }: StoredPlan,
  { id = randomBase62(12), ...fields }: PlanProvider,
  isFixed: (providerId: string) => boolean,
): StoredProvider {
  const before = providers.find((one) => one.id === id);
  if (before !== undefined) {
    const { name, architecture, is_default, source, checksum, checksum_type } = before;
    // When another image becomes the default, the registry unsets this one automatically.
    const yields = before.step.state === 'done' && is_default && !fields.is_default;
    const which = { name, architecture, is_default: is_default && !yields, source };
    if (isSame({ ...which, checksum, checksum_type }, fields)) return { ...before, ...which };
    if (isFixed(id)) {
      throw new ProblemError(
        'invalid-request',
        `The image of ${providerLabel(before)} is already in the registry or on its way there. Cancel its upload before you change the provider's plan.`,
      );
    }
    // A checksum added later is of the same image: the delivery verifies it and sends it to the registry.
    const isLater = before.step.state === 'done' && source.kind === 'image' && checksum === '';
    if (isLater && isSame({ ...fields, checksum, checksum_type }, { ...which, checksum, checksum_type })) {
      return { ...before, ...fields };
    }
  }
  return { id, ...fields, step: planned, stored: null, had_image: false, may_replace: null, may_add: false };
}

/** Whether two plans want the same for a part, whatever its result. */
export function isSamePart(one: Part, other: Part): boolean {
  return one !== null && other !== null && isSame(wantedOf(one), wantedOf(other));
}

/** Whether two plans want the same, whatever the results of their parts. */
export function isSamePlan(one: StoredPlan, other: StoredPlan): boolean {
  return (
    isSamePart(one.box, other.box) &&
    isSamePart(one.version, other.version) &&
    one.providers.length === other.providers.length &&
    one.providers.every((provider, at) => isSamePart(provider, other.providers[at] ?? null))
  );
}

/** A part of a plan that a step carries out; null if the plan no longer has it. */
export type Part = StoredPlan['box'] | StoredPlan['version'] | StoredProvider;

function wantedOf(part: NonNullable<Part>): object {
  const came = new Set(['step', 'stored', 'had_image', 'may_replace', 'may_add']);
  return Object.fromEntries(Object.entries(part).filter(([name]) => !came.has(name)));
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}
