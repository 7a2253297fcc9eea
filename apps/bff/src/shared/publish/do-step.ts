import type { PublishRun, PublishStep } from '@gatehouse/api-types/console/publish';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { StoredPlan } from '#uploads/runs.ts';
import { runAnswer } from './run-answer.ts';

/** What a step came to: it is done, or there is something that the person decides about. */
export type StepResult = 'created' | 'used' | 'updated' | 'exists';

/** One step of a run, to be done and kept. */
export interface Step {
  readonly run: string;
  /** What it is about, for the log: `The box admin/bionic`. */
  readonly what: string;
  readonly provider?: string;
  /** How the log says what came of it, where it says it otherwise. */
  readonly words?: Partial<Record<StepResult, string>>;
  readonly work: () => Promise<StepResult>;
  /** The plan with what came of the step. */
  readonly keep: (plan: StoredPlan, step: PublishStep) => StoredPlan;
}

const usualWords: Readonly<Record<StepResult, string>> = {
  created: 'was created.',
  used: 'already exists and is used unchanged.',
  updated: 'already exists and was updated as planned.',
  exists: 'already exists. Decide what to do with it.',
};

/** Problems that tell nothing of the step: the person signs in, confirms it, or waits, and does it again. */
const passing: ReadonlySet<string> = new Set([
  'unauthenticated',
  'confirmation-required',
  'not-connected',
  'rate-limited',
]);

/** Does a step and keeps what came of it. @throws what `work` threw, kept too */
export async function doStep(
  context: Context,
  { run, what, provider, words = {}, work, keep }: Step,
): Promise<PublishRun> {
  const about = provider === undefined ? {} : { provider };
  const time = (): string => new Date(context.clock.now()).toISOString();
  let result: StepResult;
  try {
    result = await work();
  } catch (error) {
    if (error instanceof ProblemError && !passing.has(error.code)) {
      const problem = { code: error.code, detail: error.message };
      await context.runs.change(run, (plan) =>
        keep(plan, { state: 'failed', outcome: null, problem, time: time() }),
      );
      await context.runs.log(run, `${what}: ${error.message}`, { ...about, failed: true });
    }
    throw error;
  }
  await context.runs.change(run, (plan) =>
    keep(plan, {
      state: result === 'exists' ? 'exists' : 'done',
      outcome: result === 'exists' ? null : result,
      problem: null,
      time: time(),
    }),
  );
  await context.runs.log(run, `${what} ${words[result] ?? usualWords[result]}`, about);
  return runAnswer(context, run);
}
