import type { PublishRun, PublishStep } from '@gatehouse/api-types/console/publish';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { StoredPlan } from '#uploads/runs.ts';
import { isSamePart, type Part } from './plan.ts';
import { runAnswer } from './run-answer.ts';

/** How a step was done. */
export type StepResult = 'created' | 'used' | 'updated';

/** One step of a run, to be done and kept. */
export interface Step<Found extends { readonly changed: boolean }> {
  readonly run: string;
  /** What it does: where that is planned otherwise by then, what came of it is not kept. Everything, unless given. */
  readonly part?: {
    readonly done: NonNullable<Part>;
    readonly of: (plan: StoredPlan) => Part;
  };
  /** What it is about, for the log: `The box admin/bionic`. */
  readonly what: string;
  readonly provider?: string;
  /** How the log says what came of it, where it says it otherwise. */
  readonly words?: Partial<Record<StepResult, string>>;
  /** Does it, or finds something that the person decides about. */
  readonly work: () => Promise<StepResult | Found>;
  /** The plan with what came of the step. */
  readonly keep: (plan: StoredPlan, step: PublishStep, stored: Found | null) => StoredPlan;
}

const usualWords: Readonly<Record<StepResult, string>> = {
  created: 'was created.',
  used: 'already exists and is used unchanged.',
  updated: 'already exists and was updated as planned.',
};

/** Problems that tell nothing of the step: the person signs in, confirms it, or waits, and does it again. */
const passing: ReadonlySet<string> = new Set([
  'unauthenticated',
  'confirmation-required',
  'not-connected',
  'rate-limited',
]);

/** Does a step and keeps what came of it. @throws what `work` threw, kept too */
export async function doStep<Found extends { readonly changed: boolean }>(
  context: Context,
  { run, part, what, provider, words = {}, work, keep }: Step<Found>,
): Promise<PublishRun> {
  const about = provider === undefined ? {} : { provider };
  const time = (): string => new Date(context.clock.now()).toISOString();
  const keepIn = async (step: PublishStep, found: Found | null): Promise<void> => {
    await context.runs.change(run, (plan) =>
      part === undefined || isSamePart(part.done, part.of(plan)) ? keep(plan, step, found) : plan,
    );
  };
  let result: StepResult | Found;
  try {
    result = await work();
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
