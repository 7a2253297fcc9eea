/** Runs a sequence on the server as a task: describes its lines and its end. */
import type { TransferEnd, TransferLine, TransferStep } from '@gatehouse/api-types/console/secret-transfers';
import { isUnknownOutcome } from '#lib/api-error.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { TaskEnd, TaskReport, TaskStep } from '#lib/tasks.ts';

const verbs: Readonly<Record<TransferStep['action'], string>> = {
  read: 'Read',
  write: 'Wrote',
  settings: 'Set settings and metadata of',
  check: 'Checked',
  remove: 'Removed',
  undo: 'Undid',
};

/** `Wrote version 2 of secret/app/db`. */
export function stepInWords({ action, mount, path, version, state, detail }: TransferStep): TaskStep {
  const what = `${version === null ? '' : `version ${String(version)} of `}${mount}/${path}`;
  const verb =
    state === 'done' ? verbs[action] : state === 'failed' ? `Couldn't ${infinitives[action]}` : 'Skipped';
  return { text: `${verb} ${what}`, state, ...(detail !== null && { detail }) };
}

const infinitives: Readonly<Record<TransferStep['action'], string>> = {
  read: 'read',
  write: 'write',
  settings: 'set settings and metadata of',
  check: 'check',
  remove: 'remove',
  undo: 'undo',
};

export function endInWords({ outcome, written, removed, detail }: TransferEnd): TaskEnd {
  const why = detail === null ? '' : ` ${detail}`;
  switch (outcome) {
    case 'done':
      return {
        outcome,
        summary: `${counted(written, 'secret')} written${removed === 0 ? '' : `, ${removed.toLocaleString('en')} removed from the old path${removed === 1 ? '' : 's'}`}.${why}`,
      };
    case 'undone':
      return { outcome, summary: `Everything was undone.${why}` };
    case 'partly':
      return {
        outcome,
        summary: `${counted(written, 'secret')} written, ${removed.toLocaleString('en')} removed; nothing is lost. The steps show where each secret is.${why}`,
      };
  }
}

export interface SequenceOptions {
  /** The steps counted for each secret: a move checks the copy, then removes the source. */
  readonly counted: ReadonlySet<TransferStep['action']>;
  /** Shown when you stop it, or its response is lost: what the server does now, and where to look. */
  readonly onceBegun: string;
}

/** Reads all lines. @returns the outcome; never rejects */
export async function runSequence(
  { signal, plan, step }: TaskReport,
  lines: AsyncIterable<TransferLine>,
  { counted, onceBegun }: SequenceOptions,
): Promise<TaskEnd> {
  let end: TransferEnd | undefined;
  let hasBegun = false;
  try {
    for await (const line of lines) {
      hasBegun = true;
      if (line.kind === 'plan') plan(line.secrets * counted.size);
      else if (line.kind === 'end') end = line;
      else step(stepInWords(line), counted.has(line.action) && line.state !== 'failed');
    }
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped', summary: onceBegun };
    const { title, detail, requestId } = wordsOf(error);
    const mayHaveBegun = hasBegun || isUnknownOutcome(error);
    return {
      outcome: mayHaveBegun ? 'unknown' : 'failed',
      summary: `${title}. ${mayHaveBegun ? onceBegun : detail}`,
      ...(requestId !== undefined && { requestId }),
    };
  }
  if (end !== undefined) return endInWords(end);
  return signal.aborted
    ? { outcome: 'stopped', summary: onceBegun }
    : { outcome: 'unknown', summary: `The response ended early. ${onceBegun}` };
}
