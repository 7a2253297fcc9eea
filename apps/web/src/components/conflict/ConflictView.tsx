/**
 * Shown above a form whose record someone else changed: what happened, and the decisions to make. The form
 * below contains the merged record. Nothing is saved without an explicit save.
 */
import type { Change, Conflict } from '@gatehouse/record-merge';
import { deepEqual } from '@gatehouse/record-merge/equal';
import { Icon } from '@gatehouse/ui/icon';
import { linkClass } from '@gatehouse/ui/link';
import { useNow } from '@gatehouse/ui/time';
import { toasts } from '@gatehouse/ui/toast';
import { CircleCheck, CircleDashed, GitMerge } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { conflictTitles } from '#lib/error-words.ts';
import { mayMoveFocus } from '#lib/focus.ts';
import { byWhomAndWhen } from './author-words.ts';
import { acceptedChanges, undecided, valueAtPath, type ChangedMeanwhile } from './conflict-state.ts';
import { numberOf, type ConflictWords } from './conflict-words.ts';
import {
  ConflictDecision,
  conflictLabel,
  decisionId,
  differingMembers,
  type DecisionMeans,
} from './ConflictDecision.tsx';

export interface ConflictViewProps<T> extends DecisionMeans {
  state: ChangedMeanwhile<T>;
  /** Incremented with each save that is stopped here; the focus then moves to the first cause. */
  stoppedSaves: number;
  /** Why the value of a conflict's field was refused. */
  refusalOf?: (conflict: Conflict) => string | undefined;
  /** The ± checklists of merged sets. */
  sets?: ReactNode;
}

export function ConflictView<T>({
  state,
  words,
  onDecide,
  valueOf,
  renderEditor,
  stoppedSaves,
  refusalOf = () => undefined,
  sets,
}: ConflictViewProps<T>) {
  const { conflicts } = state.result;
  const open = undecided(state);
  const prefix = useId();
  const summary = useRef<HTMLDivElement>(null);
  const now = useNow();
  const { it, was } = numberOf(words.noun);

  useEffect(() => {
    if (mayMoveFocus()) summary.current?.focus();
    else toasts.info({ title: titleOf(state, words, open.length) });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer, not for each decision
  }, [state.round]);

  /** Why a choice was refused, if no editor shows it and receives the focus. */
  const refusedChoice = (conflict: Conflict): string | undefined =>
    state.decisions.get(conflict.id)?.choice === 'edited' ? undefined : refusalOf(conflict);
  const stoppedBy = (open[0] ?? conflicts.find((conflict) => refusedChoice(conflict) !== undefined))?.id;
  useEffect(() => {
    if (stoppedSaves === 0 || stoppedBy === undefined || !mayMoveFocus()) return;
    document.getElementById(decisionId(prefix, stoppedBy))?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- moves focus when saving was tried, not when a decision was made
  }, [stoppedSaves]);

  const accepted = acceptedChanges(state);
  // A text or set that both sides changed contains a change of mine if it differs from the stored one.
  const isMine = ({ side, path, after }: Change): boolean =>
    side === 'mine' || (side === 'both' && !deepEqual(valueAtPath(state.theirs, path), after));
  const counts = {
    theirs: accepted.filter(({ side }) => side === 'theirs').length,
    mine: accepted.filter(isMine).length,
    both: accepted.filter(({ side }) => side === 'both').length,
  };
  return (
    <section aria-label={conflictTitles.modified} className="flex flex-col gap-4">
      <div
        ref={summary}
        tabIndex={-1}
        aria-labelledby={`${prefix}title`}
        aria-describedby={`${prefix}words`}
        role="group"
        className="flex items-start gap-3 rounded-control border border-info/35 bg-info-tint p-4"
      >
        <span className="mt-0.5 text-info">
          <Icon icon={GitMerge} size={20} />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <h2 id={`${prefix}title`} className="text-heading font-semibold text-ink-1">
            {titleOf(state, words, open.length)}
          </h2>
          <div id={`${prefix}words`} className="flex flex-col gap-1 text-body text-ink-2">
            <p>
              {it} {was} changed {byWhomAndWhen(state, now)}.{' '}
              {sentenceOf(counts, conflicts.length, open.length)}
            </p>
            {state.round > 1 && <p>{roundWords(state, it)}</p>}
          </div>
          {conflicts.length > 0 && (
            <nav aria-label="Decisions">
              <ol className="flex flex-col gap-1">
                {conflicts.map((conflict) => {
                  const isDecided = state.decisions.has(conflict.id);
                  return (
                    <li key={conflict.id} className="flex items-center gap-1.5">
                      <Icon
                        icon={isDecided ? CircleCheck : CircleDashed}
                        size={14}
                        className={isDecided ? 'text-ok' : 'text-warn'}
                      />
                      <a
                        href={`#${decisionId(prefix, conflict.id)}`}
                        className={linkClass()}
                        onClick={(event) => {
                          event.preventDefault();
                          const fieldset = document.getElementById(decisionId(prefix, conflict.id));
                          fieldset?.scrollIntoView({ block: 'center' });
                          fieldset?.focus({ preventScroll: true });
                        }}
                      >
                        {conflictLabel(conflict, words)}
                      </a>
                      <span className="text-meta text-ink-2">{isDecided ? 'decided' : 'to decide'}</span>
                    </li>
                  );
                })}
              </ol>
            </nav>
          )}
          <p role="status" className="text-meta text-ink-2 empty:hidden">
            {conflicts.length > 0 &&
              (open.length === 0
                ? 'All decided. Review the form below, then save.'
                : `${String(conflicts.length - open.length)} of ${String(conflicts.length)} decided.`)}
          </p>
        </div>
      </div>
      {conflicts.map((conflict) => (
        <ConflictDecision
          key={conflict.id}
          id={decisionId(prefix, conflict.id)}
          conflict={conflict}
          decision={state.decisions.get(conflict.id)}
          author={state}
          words={words}
          valueOf={valueOf}
          renderEditor={renderEditor}
          onDecide={onDecide}
          isMissing={stoppedSaves > 0 && !state.decisions.has(conflict.id)}
          refusal={refusedChoice(conflict)}
        />
      ))}
      {sets}
    </section>
  );
}

function titleOf<T>(
  state: ChangedMeanwhile<T>,
  { noun, noteOf }: Pick<ConflictWords, 'noun' | 'noteOf'>,
  open: number,
): string {
  const count = state.result.conflicts.length;
  if (count === 0) return `${numberOf(noun).one} changed while you were editing`;
  if (open === 0) return 'All conflicts are decided';
  if (noteOf !== undefined) return `${numberOf(noun).one} changed while you were editing`;
  if (state.result.conflicts.some((conflict) => differingMembers(conflict).length > 1))
    return 'Fields that belong together have conflicting changes';
  return open === 1 ? '1 field has conflicting changes' : `${String(open)} fields have conflicting changes`;
}

function sentenceOf(
  counts: Record<'theirs' | 'mine' | 'both', number>,
  conflicts: number,
  open: number,
): string {
  const changes = (count: number): string => (count === 1 ? '1 change' : `${String(count)} changes`);
  if (conflicts > 0) {
    const taken = counts.theirs + counts.both;
    const theirs =
      taken === 0
        ? ''
        : `${changes(taken)} didn't conflict with yours and ${taken === 1 ? 'is' : 'are'} in the form. `;
    return `${theirs}${open === 0 ? 'Nothing is saved until you save.' : 'Decide below. Nothing is saved until you do.'}`;
  }
  if (counts.mine === 0 && counts.both === 0) return 'The form now shows the stored record.';
  if (counts.mine === 0) return 'The same changes are already stored. Nothing is left to save.';
  const mine = counts.mine === 1 ? 'Your change' : `Your ${changes(counts.mine)}`;
  return `${mine} and the stored changes don't overlap. Both are marked in the form. Save to keep both.`;
}

function roundWords<T>({ kept, askedAgain, round }: ChangedMeanwhile<T>, it: string): string {
  const again = `${it} changed again (${String(round)} times during this edit).`;
  if (kept === 0 && askedAgain === 0) return again;
  const parts = [
    kept === 0 ? undefined : `${String(kept)} of your decisions still ${kept === 1 ? 'applies' : 'apply'}`,
    askedAgain === 0
      ? undefined
      : `${askedAgain === 1 ? '1 conflict needs' : `${String(askedAgain)} conflicts need`} a new decision, because the value changed`,
  ].filter((part) => part !== undefined);
  return `${again} ${parts.join('; ')}.`;
}
