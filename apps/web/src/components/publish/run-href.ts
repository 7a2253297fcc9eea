import type { WizardStep } from './publish-steps.ts';

/** Where a run is shown: at one of its steps, else where it goes on. */
export function runHref(environment: string, run: string, step?: WizardStep): string {
  const href = `/${environment}/boxes/publish/${encodeURIComponent(run)}`;
  return step === undefined ? href : `${href}?step=${step}`;
}
