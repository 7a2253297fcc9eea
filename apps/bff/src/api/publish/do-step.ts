import { isDeepStrictEqual } from 'node:util';
import type { PublishRun, PublishStep } from '@gatehouse/api-types/console/publish';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { StoredPlan, StoredRun } from '#uploads/runs.ts';
import { runAnswer } from './run-answer.ts';

export type StepResult = 'created' | 'used' | 'updated';

/** A step of a run, with how its result is stored. */
export interface Step<Found extends { readonly changed: boolean }> {
  /** The run as the step was judged by it. */
  readonly run: StoredRun;
  readonly stepOf: (plan: StoredPlan) => PublishStep | undefined;
  /** Whether a plan still wants what the step carries out. If the plan has been changed since, the result isn't kept. */
  readonly isWanted: (plan: StoredPlan) => boolean;
  /** The step's subject in the log: `The box admin/bionic`. */
  readonly what: string;
  readonly provider?: string;
  /** The log's words for results, where they differ from the usual ones. */
  readonly words?: Partial<Record<StepResult, string>>;
  /**
   * Carries out the step, or returns an existing record that the user must decide about. Repeated once if someone else
   * creates the record in the meantime, for example the same step in another tab.
   */
  readonly work: () => Promise<StepResult | Found>;
  /** Adds the step's result to the plan. */
  readonly keep: (plan: StoredPlan, step: PublishStep, stored: Found | null) => StoredPlan;
}

const usualWords: Readonly<Record<StepResult, string>> = {
  created: 'was created.',
  used: 'already exists and is used unchanged.',
  updated: 'already exists and was updated as planned.',
};

/** Problems that don't fail the step: the user signs in, confirms or waits, and repeats it. */
const passing: ReadonlySet<string> = new Set([
  'unauthenticated',
  'confirmation-required',
  'not-connected',
  'no-access',
  'rate-limited',
]);

/** Carries out a step and keeps its result. @throws the errors of `work`, which are kept too */
export async function doStep<Found extends { readonly changed: boolean }>(
  context: Context,
  { run: { id: run, plan: before }, stepOf, isWanted, what, provider, words = {}, work, keep }: Step<Found>,
): Promise<PublishRun> {
  const about = provider === undefined ? {} : { provider };
  const time = (): string => new Date(context.clock.now()).toISOString();
  const keepIn = async (step: PublishStep, found: Found | null): Promise<void> => {
    await context.runs.change(run, (plan) => {
      // Another tab may have done the step since.
      const isLatest = step.state === 'done' || isDeepStrictEqual(stepOf(plan), stepOf(before));
      return isLatest && isWanted(plan) ? keep(plan, step, found) : plan;
    });
  };
  let result: StepResult | Found;
  try {
    result = await work().catch((error: unknown) => {
      if (error instanceof ProblemError && error.init.conflict?.reason === 'created') return work();
      throw error;
    });
  } catch (error) {
    if (error instanceof ProblemError && !passing.has(error.code)) {
      const problem = { code: error.code, detail: error.message };
      await keepIn({ state: 'failed', outcome: null, problem, time: time() }, null);
      await context.runs.log(run, `${what}: ${error.message}`, { ...about, failed: true });
    }
    throw error;
  }
  const found = typeof result === 'object' ? result : null;
  const outcome = typeof result === 'object' ? null : result;
  const state = outcome === null ? 'exists' : 'done';
  await keepIn({ state, outcome, problem: null, time: time() }, found);
  const became =
    outcome === null
      ? `${found?.changed === true ? 'was changed after your decision. Decide again' : 'already exists. Decide'} what to do with it.`
      : (words[outcome] ?? usualWords[outcome]);
  await context.runs.log(run, `${what} ${became}`, about);
  return runAnswer(context, run);
}
