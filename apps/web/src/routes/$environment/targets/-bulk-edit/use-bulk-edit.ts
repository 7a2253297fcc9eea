import type { Target } from '@gatehouse/api-types/console/targets';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { forgetTargets, useTargetWrites } from '#queries/access.ts';
import type { BulkValues } from './bulk-plan.ts';
import { isOpen, plannedRows, runBulk, type BulkRow } from './bulk-run.ts';

export interface BulkCounts {
  /** Can be written now: not started, or to be retried. */
  readonly open: number;
  /** Those of `open` whose outcome is unknown. */
  readonly unknown: number;
  /** Those of `open` that were tried before. */
  readonly retried: number;
  readonly saved: number;
  /** Changed by others since the review; written only after confirmation. */
  readonly changed: number;
  /** Changed or deleted by others. */
  readonly problems: number;
  /** Can't have these values. */
  readonly impossible: number;
  /** Tried at least once. */
  readonly begun: number;
}

/** How often outcomes are shown, in ms. */
const showEveryMs = 100;

/** Runs a bulk edit from review to end. Closing the dialog completes the running writes and starts no others. */
export function useBulkEdit(environment: string) {
  const writes = useTargetWrites(environment);
  const queryClient = useQueryClient();
  const [rows, setRows] = useState<readonly BulkRow[]>();
  const [values, setValues] = useState<BulkValues>(new Map());
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [isStopping, setStopping] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      stop.current?.abort();
    },
    [],
  );

  const counts = useMemo((): BulkCounts => {
    const count = (accepts: (row: BulkRow) => boolean): number => (rows ?? []).filter(accepts).length;
    return {
      open: count(isOpen),
      unknown: count(({ state }) => state.kind === 'unknown'),
      retried: count((row) => isOpen(row) && row.state.kind !== 'planned'),
      saved: count(({ state }) => state.kind === 'saved'),
      changed: count(({ plan, state }) => state.kind === 'changed' && plan.kind === 'change'),
      problems: count(
        ({ plan, state }) =>
          (state.kind === 'changed' && plan.kind !== 'impossible') || state.kind === 'gone',
      ),
      impossible: count(
        ({ plan, state }) => plan.kind === 'impossible' && state.kind !== 'saved' && state.kind !== 'gone',
      ),
      begun: count(({ state }) => state.kind !== 'planned'),
    };
  }, [rows]);

  const runRows = async (chosen: readonly BulkRow[]): Promise<void> => {
    const abort = new AbortController();
    stop.current = abort;
    setStopping(false);
    setProgress({ done: 0, total: chosen.length });
    // Outcomes are shown in batches, so that thousands of rows don't each cause a render.
    let news = new Map<string, BulkRow>();
    let done = 0;
    let timer = 0;
    const show = (): void => {
      const told = news;
      news = new Map();
      setRows((all) => all?.map((row) => told.get(row.target.id) ?? row));
      setProgress((known) => known && { ...known, done });
    };
    const report = (row: BulkRow): void => {
      if (news.size === 0) timer = window.setTimeout(show, showEveryMs);
      news.set(row.target.id, row);
      if (row.state.kind === 'saving') return;
      done += 1;
      if (row.state.kind === 'gone') forgetTargets(queryClient, environment, [row.target.id]);
    };
    await runBulk(chosen, values, writes, report, abort);
    window.clearTimeout(timer);
    show();
    setProgress(undefined);
  };

  return {
    /** Undefined before the review. */
    rows,
    counts,
    progress: progress ?? { done: 0, total: 0 },
    isRunning: progress !== undefined,
    isStopping,
    savedIds: (rows ?? []).filter(({ state }) => state.kind === 'saved').map(({ target }) => target.id),
    plan: (targets: readonly Target[], next: BulkValues) => {
      setValues(next);
      setRows(plannedRows(targets, next));
    },
    back: () => {
      setRows(undefined);
    },
    run: () => void runRows((rows ?? []).filter(isOpen)),
    runChanged: () =>
      void runRows(
        (rows ?? []).filter(({ plan, state }) => state.kind === 'changed' && plan.kind === 'change'),
      ),
    stop: () => {
      setStopping(true);
      stop.current?.abort();
    },
  };
}
