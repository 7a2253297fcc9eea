import type { Target } from '@gatehouse/api-types/console/targets';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { forgetTargets, useTargetWrites } from '#queries/access.ts';
import type { BulkValues } from './bulk-plan.ts';
import { isOpen, plannedRows, runBulk, type BulkRow } from './bulk-run.ts';

export interface BulkCounts {
  /** Can be written now: not begun, or to be tried again. */
  readonly open: number;
  /** Of these, those of which nobody knows whether they were written. */
  readonly unknown: number;
  /** Of those that can be written, those that were tried. */
  readonly retried: number;
  readonly saved: number;
  /** Changed by others after the review; written only when that is asked for. */
  readonly changed: number;
  /** Changed or deleted by others. */
  readonly problems: number;
  /** Cannot have the values. */
  readonly impossible: number;
  /** Tried at least once. */
  readonly begun: number;
}

/** How often what became of rows is shown, in ms. */
const showEveryMs = 100;

/** A bulk edit from its review to its end. What is under way when its dialog goes away is finished, and nothing more. */
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
    // Shown together now and then: thousands of rows are not drawn again for each of them.
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
    /** Undefined before anything is reviewed. */
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
