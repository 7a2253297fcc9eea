import type { WizardStep } from './publish-steps.ts';

/** The address of a run, at a step or where it continues. */
export function runHref(environment: string, run: string, step?: WizardStep): string {
  const href = `/${environment}/boxes/publish/${encodeURIComponent(run)}`;
  return step === undefined ? href : `${href}?step=${step}`;
}
