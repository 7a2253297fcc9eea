/** Describes the outcomes of a bulk edit. */
import { isApiError } from '#lib/api-error.ts';
import { conflictTitles, wordsOf } from '#lib/error-words.ts';
import type { BulkRow } from './bulk-run.ts';

export type BulkGroup = 'change' | 'saved' | 'problem' | 'same' | 'impossible';

export const groupWords: Readonly<Record<BulkGroup, string>> = {
  change: 'To change',
  saved: 'Saved',
  problem: 'Not saved, or outcome unknown',
  same: 'No change needed',
  impossible: 'Not possible',
};

export function groupOf({ plan, state }: BulkRow): BulkGroup {
  switch (state.kind) {
    case 'saved':
      return 'saved';
    case 'changed':
    case 'gone':
    case 'failed':
    case 'unknown':
      return plan.kind === 'impossible' ? 'impossible' : 'problem';
    case 'planned':
    case 'saving':
      return plan.kind;
  }
}

export interface RowWords {
  readonly word: string;
  readonly tone: 'ok' | 'info' | 'warn' | 'danger' | 'neutral';
  /** The reason, in a sentence. */
  readonly detail?: string;
}

/** The state of one target. */
export function rowWords({ plan, state }: BulkRow): RowWords {
  if (plan.kind === 'impossible' && state.kind !== 'saved' && state.kind !== 'gone')
    return { word: 'Not possible', tone: 'warn', detail: plan.reason };
  switch (state.kind) {
    case 'planned':
      return plan.kind === 'same'
        ? { word: 'No change needed', tone: 'neutral' }
        : { word: 'To change', tone: 'info' };
    case 'saving':
      return { word: 'Saving', tone: 'info' };
    case 'saved':
      return { word: 'Saved', tone: 'ok' };
    case 'changed':
      return {
        word: conflictTitles.modified,
        tone: 'warn',
        detail:
          state.others.length === 0
            ? 'Something else has changed, such as its sources. Nothing was written.'
            : 'Nothing was written. Changed since then:',
      };
    case 'gone':
      return { word: 'Deleted', tone: 'danger', detail: 'It was deleted after the review.' };
    case 'unknown':
      return {
        word: 'Unknown',
        tone: 'warn',
        detail: 'No response. Retrying first checks whether it was written.',
      };
    case 'failed': {
      const { title, detail } = wordsOf(state.error);
      const fields = isApiError(state.error, 'invalid-request')
        ? state.error.problem?.fields?.map(({ message }) => message).join(' ')
        : undefined;
      return { word: 'Failed', tone: 'danger', detail: `${title}. ${fields ?? detail}` };
    }
  }
}
