/** Writing a bulk edit, target by target, each with the revision that was reviewed. */
import {
  fieldsOfTarget,
  target as targetSchema,
  type Target,
  type TargetChanges,
} from '@gatehouse/api-types/console/targets';
import { changesBetween, type RecordChange } from '#components/form/field-changes.ts';
import { isApiError, isUnknownOutcome } from '#lib/api-error.ts';
import { runEach } from '#lib/run-each.ts';
import { targetForm } from '../target-form.ts';
import { planFor, withValues, type BulkValues, type TargetPlan } from './bulk-plan.ts';

export type BulkState =
  /** Not begun. */
  | { readonly kind: 'planned' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  /** Somebody changed it after it was reviewed: nothing was written. `others` is what they did. */
  | { readonly kind: 'changed'; readonly others: readonly RecordChange[] }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** No answer came: it may have been written. */
  | { readonly kind: 'unknown' };

/** One target of a bulk edit: as it was last read, what is to be done, and what became of it. */
export interface BulkRow {
  readonly target: Target;
  readonly plan: TargetPlan;
  readonly state: BulkState;
}

/** How the targets are reached. */
export interface BulkWrites {
  readonly update: (target: Target, changes: TargetChanges) => Promise<Target>;
  readonly read: (id: string) => Promise<Target>;
}

/** How many writes are under way at once. */
const parallel = 4;

/** The rows of an edit before anything is written. */
export function plannedRows(targets: readonly Target[], values: BulkValues): readonly BulkRow[] {
  return targets.map((target) => ({ target, plan: planFor(target, values), state: { kind: 'planned' } }));
}

/** Whether a row is still to be written, or to be tried again. */
export function isOpen({ plan, state }: BulkRow): boolean {
  return plan.kind === 'change' && (state.kind === 'planned' || isRetried(state));
}

function isRetried({ kind }: BulkState): boolean {
  return kind === 'failed' || kind === 'unknown';
}

/**
 * Writes rows; what becomes of each is reported as it happens. A failure that would be that of every other (no right,
 * no connection, no service) ends the rest, which stay planned.
 */
export async function runBulk(
  rows: readonly BulkRow[],
  values: BulkValues,
  writes: BulkWrites,
  report: (row: BulkRow) => void,
  stop: AbortController,
): Promise<void> {
  await runEach(
    rows,
    parallel,
    async (row) => {
      report({ ...row, state: { kind: 'saving' } });
      try {
        report(await written(row, values, writes));
      } catch (error) {
        const failed = afterFailure(row, values, error);
        report(failed);
        const { kind } = failed.state;
        const isOfAll = !isApiError(error, 'invalid-request', 'outcome-unknown');
        if ((kind === 'failed' || kind === 'unknown') && isOfAll) stop.abort();
      }
    },
    stop.signal,
  );
}

async function written(row: BulkRow, values: BulkValues, writes: BulkWrites): Promise<BulkRow> {
  let { target, plan } = row;
  if (row.state.kind === 'unknown') {
    // Whether the write that had no answer was made is seen in what is stored now.
    const current = await writes.read(target.id);
    const others = othersChanges(row, values, current);
    target = current;
    plan = planFor(current, values);
    if (plan.kind !== 'change') return { target, plan, state: { kind: 'saved' } };
    if (others.length > 0) return { target, plan, state: { kind: 'changed', others } };
  }
  if (plan.kind !== 'change') return { target, plan, state: { kind: 'planned' } };
  const saved = await writes.update(target, plan.changes);
  return { target: saved, plan, state: { kind: 'saved' } };
}

function afterFailure(row: BulkRow, values: BulkValues, error: unknown): BulkRow {
  const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
  if (isApiError(error, 'not-found') || conflict?.reason === 'deleted')
    return { ...row, state: { kind: 'gone' } };
  const current = targetSchema.safeParse(conflict?.current);
  if (current.success) {
    const target = current.data;
    const plan = planFor(target, values);
    // Somebody else did the same: nothing is left to do.
    if (plan.kind === 'same') return { target, plan, state: { kind: 'planned' } };
    return { target, plan, state: { kind: 'changed', others: othersChanges(row, values, target) } };
  }
  if (isUnknownOutcome(error)) return { ...row, state: { kind: 'unknown' } };
  return { ...row, state: { kind: 'failed', error } };
}

/** What somebody else changed: what the edit itself would have set is not counted. */
function othersChanges({ target }: BulkRow, values: BulkValues, current: Target): readonly RecordChange[] {
  const wanted = withValues(fieldsOfTarget(target), values);
  const form = targetForm(current.type);
  const theirs = changesBetween(form, fieldsOfTarget(target), fieldsOfTarget(current));
  const differing = new Set(changesBetween(form, wanted, fieldsOfTarget(current)).map(({ id }) => id));
  return theirs.filter(({ id }) => differing.has(id));
}
