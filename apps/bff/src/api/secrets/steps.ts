/** A sequence of changes that says of each step what became of it, and takes back what it did when one fails. */
import type { TransferEnd, TransferLine, TransferStep } from '@gatehouse/api-types/console/secret-transfers';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';

/** Why there was nothing to take back. */
export const nothingWritten = 'Nothing had been written, so there was nothing to undo.';

/** How one step is told. */
export interface StepWords {
  readonly action: TransferStep['action'];
  readonly place: Place;
  readonly version?: number;
  readonly detail?: string;
}

/** A change that was begun, and how it is taken back. */
export interface Undo {
  readonly place: Place;
  /**
   * @returns why there was nothing to take back, in a sentence; undefined where it was taken back
   * @throws ProblemError when it cannot be
   */
  readonly run: () => Promise<string | undefined>;
}

/** What a sequence has done so far. */
export interface Sequence {
  /** Records a change of one secret. */
  readonly did: AuditNote['did'];
  written: number;
  removed: number;
  /** Changes that can be taken back, in their order. */
  readonly undos: Undo[];
}

/** What is thrown in a sequence: the step that failed, and why. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly words: StepWords;
  readonly problem: ProblemError;

  constructor(words: StepWords, problem: ProblemError) {
    super(problem.message);
    this.words = words;
    this.problem = problem;
  }
}

/** Does one step. @throws StepFailed with its problem */
export async function doStep<Result>(words: StepWords, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProblemError ? new StepFailed(words, error) : error;
  }
}

export function stepLine(
  { action, place, version, detail }: StepWords,
  state: TransferStep['state'] = 'done',
): TransferStep {
  return {
    kind: 'step',
    action,
    mount: place.mount,
    path: place.path,
    version: version ?? null,
    state,
    detail: detail ?? null,
  };
}

/**
 * Runs a sequence to its end, whether anybody reads its lines or not: one that the person breaks off is taken back.
 * @param secrets how many it is about
 * @param keeps whether what was done stays when a step fails: from where taking it back would lose more
 */
export async function* runSequence(
  secrets: number,
  note: AuditNote,
  steps: (sequence: Sequence) => AsyncGenerator<TransferStep>,
  keeps: (sequence: Sequence) => boolean = () => false,
): AsyncGenerator<TransferLine> {
  const sequence: Sequence = { did: (change) => note.did(change), written: 0, removed: 0, undos: [] };
  let settled = false;
  try {
    yield { kind: 'plan', secrets };
    yield* steps(sequence);
    settled = true;
    yield endLine(sequence, 'done');
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const kept = keeps(sequence);
    // First of all it is taken back: who only reads half of the lines has no half of a sequence.
    const undone = kept ? [] : await undoAll(sequence);
    settled = true;
    yield stepLine({ ...error.words, detail: error.problem.message }, 'failed');
    yield* undone;
    const isUndone = !kept && undone.every(({ state }) => state !== 'failed');
    yield endLine(
      isUndone ? { ...sequence, written: 0 } : sequence,
      isUndone ? 'undone' : 'partly',
      error.problem,
    );
  } finally {
    // Nobody reads any more, or something unforeseen happened: what was begun is not left half done.
    if (!settled && !keeps(sequence)) {
      const undone = await undoAll(sequence);
      note.saw({ outcome: undone.every(({ state }) => state !== 'failed') ? 'undone' : 'partly' });
    } else if (!settled) {
      note.saw({ outcome: 'partly' });
    }
  }
}

async function undoAll({ undos }: Sequence): Promise<TransferStep[]> {
  const steps: TransferStep[] = [];
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    const words = { action: 'undo', place: undo.place } as const;
    try {
      const detail = await undo.run();
      steps.push(detail === undefined ? stepLine(words) : stepLine({ ...words, detail }, 'skipped'));
    } catch (error) {
      const detail = error instanceof ProblemError ? error.message : "This change couldn't be undone.";
      steps.push(stepLine({ ...words, detail }, 'failed'));
    }
  }
  return steps;
}

function endLine(
  { written, removed }: Sequence,
  outcome: TransferEnd['outcome'],
  problem?: ProblemError,
): TransferEnd {
  return {
    kind: 'end',
    outcome,
    written,
    removed,
    code: problem?.code ?? null,
    detail: problem?.message ?? null,
  };
}
