/** The steps of a run, as the wizard shows them. */
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';

export const wizardSteps = ['box', 'version', 'providers', 'images', 'review', 'summary'] as const;
export type WizardStep = (typeof wizardSteps)[number];

export const stepLabels: Readonly<Record<WizardStep, string>> = {
  box: 'Box',
  version: 'Version',
  providers: 'Providers',
  images: 'Images',
  review: 'Review and release',
  summary: 'Summary',
};

/** `todo` hasn't begun, `open` waits for the user or for bytes, `done` is at the registry. */
export type WizardState = 'todo' | 'open' | 'failed' | 'done';

type Run = Pick<PublishRunSummary, 'box' | 'version' | 'providers' | 'release' | 'state'>;

/** The state of a step. */
export function stateOfStep(run: Run, step: WizardStep): WizardState {
  switch (step) {
    case 'box':
      return ofStep(run.box?.step);
    case 'version':
      return ofStep(run.version?.step);
    case 'providers': {
      const states = run.providers.map((provider) => ofStep(provider.step));
      if (states.includes('failed')) return 'failed';
      if (states.length === 0) return 'todo';
      return states.every((state) => state === 'done') ? 'done' : 'open';
    }
    case 'images': {
      const images = run.providers.filter(({ source }) => source.kind === 'image');
      if (images.some(({ upload }) => upload?.state === 'failed')) return 'failed';
      if (stateOfStep(run, 'providers') !== 'done') return 'todo';
      return images.every(({ ready }) => ready) ? 'done' : 'open';
    }
    case 'review':
      return ofStep(run.release);
    case 'summary':
      return run.state === 'released' ? 'done' : 'todo';
  }
}

function ofStep(step: PublishRunSummary['release'] | undefined): WizardState {
  if (step === undefined) return 'todo';
  return ({ planned: 'todo', exists: 'open', failed: 'failed', done: 'done' } as const)[step.state];
}

/** The first step that isn't done. */
export function nextStep(run: Run): WizardStep {
  if (run.state !== 'open') return 'summary';
  return wizardSteps.find((step) => stateOfStep(run, step) !== 'done') ?? 'summary';
}

/** Why a step can't be opened yet; undefined if it can. */
export function reasonAgainst(run: Run, step: WizardStep): string | undefined {
  const at = wizardSteps.indexOf(step);
  const missing = wizardSteps
    .slice(0, at)
    // Images may still be transferred during the review.
    .find((before) => before !== 'images' && stateOfStep(run, before) !== 'done');
  return missing === undefined ? undefined : `Complete this step first: ${stepLabels[missing]}.`;
}

/** `acme/base 1.2.0`, as far as known. */
export function titleOfRun(run: Pick<PublishRunSummary, 'box' | 'version'>): string {
  if (run.box === null) return 'a box';
  const tag = `${run.box.username}/${run.box.name}`;
  return run.version === null ? tag : `${tag} ${run.version.version}`;
}

/** What is at the registry and what isn't, one line each. */
export function whatIsThere(run: Run): readonly { readonly text: string; readonly isThere: boolean }[] {
  const { box, version } = run;
  return [
    ...(box === null
      ? []
      : [{ text: `Box ${box.username}/${box.name}`, isThere: box.step.state === 'done' }]),
    ...(version === null
      ? []
      : [{ text: `Version ${version.version}`, isThere: version.step.state === 'done' }]),
    ...run.providers.flatMap(({ step, source, ready, ...provider }) => [
      { text: `Provider ${providerLabel(provider)}`, isThere: step.state === 'done' },
      ...(source.kind === 'image' ? [{ text: `Image for ${providerLabel(provider)}`, isThere: ready }] : []),
    ]),
    { text: 'Release', isThere: run.release.state === 'done' },
  ];
}
