/** A sequence of changes that reports each step's result, and undoes its changes when a step fails. */
import type { TransferEnd, TransferLine, TransferStep } from '@gatehouse/api-types/console/secret-transfers';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';

/** The reason why there was nothing to undo. */
export const nothingWritten = 'Nothing had been written, so there was nothing to undo.';

/** A step's description. */
export interface StepWords {
  readonly action: TransferStep['action'];
  readonly place: Place;
  readonly version?: number;
  readonly detail?: string;
}

/** A started change, with how to undo it. */
export interface Undo {
  readonly place: Place;
  /**
   * @returns a sentence if there was nothing to undo; undefined if the change was undone, or what remains of it
   * @throws ProblemError if it can't be undone
   */
  readonly run: () => Promise<string | { readonly remains: string } | undefined>;
}

/** The state of a sequence. */
export interface Sequence {
  /** Records a change of one secret. */
  readonly did: AuditNote['did'];
  written: number;
  removed: number;
  /** The number of copies that didn't get their source's settings and custom metadata. */
  withoutSettings: number;
  /** Changes that can be undone, in their order. */
  readonly undos: Undo[];
}

/** The step that failed in a sequence, and why. */
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

/** Carries out a step. @throws StepFailed with its problem */
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
 * Runs a sequence to its end, whether or not its lines are read. A sequence that the user cancels is undone.
 * @param secrets the number of secrets in it
 * @param keeps whether changes are kept when a step fails, because undoing them would lose more
 */
export async function* runSequence(
  secrets: number,
  note: AuditNote,
  steps: (sequence: Sequence) => AsyncGenerator<TransferStep>,
  keeps: (sequence: Sequence) => boolean = () => false,
): AsyncGenerator<TransferLine> {
  const sequence: Sequence = {
    did: (change) => note.did(change),
    written: 0,
    removed: 0,
    withoutSettings: 0,
    undos: [],
  };
  let settled = false;
  try {
    yield { kind: 'plan', secrets };
    yield* steps(sequence);
    settled = true;
    yield endLine(sequence, 'done');
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const kept = keeps(sequence);
    // Undone before any line is yielded, so that a client that stops reading doesn't leave half a sequence.
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
    // The client stopped reading, or an unexpected error occurred. Started changes are undone.
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
      const result = await undo.run();
      if (typeof result === 'string') steps.push(stepLine({ ...words, detail: result }, 'skipped'));
      else steps.push(stepLine({ ...words, ...(result !== undefined && { detail: result.remains }) }));
    } catch (error) {
      const detail = error instanceof ProblemError ? error.message : "This change couldn't be undone.";
      steps.push(stepLine({ ...words, detail }, 'failed'));
    }
  }
  return steps;
}

function endLine(
  { written, removed, withoutSettings }: Sequence,
  outcome: TransferEnd['outcome'],
  problem?: ProblemError,
): TransferEnd {
  const remark =
    withoutSettings === 0
      ? null
      : `The settings and custom metadata of ${withoutSettings === 1 ? '1 secret' : `${withoutSettings} secrets`} weren't copied.`;
  return {
    kind: 'end',
    outcome,
    written,
    removed,
    code: problem?.code ?? null,
    detail: problem?.message ?? remark,
  };
}
