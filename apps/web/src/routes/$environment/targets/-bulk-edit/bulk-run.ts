/** Writes a bulk edit target by target, each with the reviewed revision. */
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
  /** Not started. */
  | { readonly kind: 'planned' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  /** Someone changed it after the review, so nothing was written. `others` are their changes. */
  | { readonly kind: 'changed'; readonly others: readonly RecordChange[] }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** No response: it may have been written. */
  | { readonly kind: 'unknown' };

/** One target of a bulk edit: as last read, with its plan and outcome. */
export interface BulkRow {
  readonly target: Target;
  readonly plan: TargetPlan;
  readonly state: BulkState;
}

/** The calls that read and write targets. */
export interface BulkWrites {
  readonly update: (target: Target, changes: TargetChanges) => Promise<Target>;
  readonly read: (id: string) => Promise<Target>;
}

/** The number of concurrent writes. */
const parallel = 4;

/** The rows before anything is written. */
export function plannedRows(targets: readonly Target[], values: BulkValues): readonly BulkRow[] {
  return targets.map((target) => ({ target, plan: planFor(target, values), state: { kind: 'planned' } }));
}

/** Whether a row is still to be written or retried. */
export function isOpen({ plan, state }: BulkRow): boolean {
  return plan.kind === 'change' && (state.kind === 'planned' || isRetried(state));
}

function isRetried({ kind }: BulkState): boolean {
  return kind === 'failed' || kind === 'unknown';
}

/**
 * Writes rows and reports each outcome immediately. A failure that would affect all (permission, connection, service)
 * stops the run, and the remaining rows stay planned.
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
    // The stored target shows whether the write without a response was made.
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
    // Someone else made the same change, so nothing is left to do.
    if (plan.kind === 'same') return { target, plan, state: { kind: 'planned' } };
    return { target, plan, state: { kind: 'changed', others: othersChanges(row, values, target) } };
  }
  if (isUnknownOutcome(error)) return { ...row, state: { kind: 'unknown' } };
  return { ...row, state: { kind: 'failed', error } };
}

/** Someone else's changes, except those that the edit would make too. */
function othersChanges({ target }: BulkRow, values: BulkValues, current: Target): readonly RecordChange[] {
  const wanted = withValues(fieldsOfTarget(target), values);
  const form = targetForm(current.type);
  const theirs = changesBetween(form, fieldsOfTarget(target), fieldsOfTarget(current));
  const differing = new Set(changesBetween(form, wanted, fieldsOfTarget(current)).map(({ id }) => id));
  return theirs.filter(({ id }) => differing.has(id));
}
