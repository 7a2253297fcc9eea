/**
 * Long work that continues while the user visits other screens: a sequence that the server executes step by
 * step. Every screen shows tasks in progress. Closing the page ends them, so it requires confirmation.
 */
import { useSyncExternalStore } from 'react';
import { mayAskBeforeLeaving } from './dirty-guard.ts';

export interface TaskStep {
  /** `Wrote version 2 of secret/app/db` */
  readonly text: string;
  readonly state: 'done' | 'failed' | 'skipped';
  /** Why, or what remains. */
  readonly detail?: string;
}

/** Done, rolled back, partly done, refused, without a known outcome, or stopped by the user. */
export type TaskOutcome = 'done' | 'undone' | 'partly' | 'failed' | 'unknown' | 'stopped';

export interface TaskEnd {
  readonly outcome: TaskOutcome;
  /** One or two sentences. */
  readonly summary: string;
  readonly requestId?: string;
}

export interface Task {
  readonly id: number;
  readonly environment: string;
  /** `Move app/ to team/app` */
  readonly title: string;
  /** The address of its result. */
  readonly href: string;
  /** The latest steps, oldest first. */
  readonly steps: readonly TaskStep[];
  /** The number of earlier steps, which are no longer kept. */
  readonly earlierSteps: number;
  readonly done: number;
  /** Undefined until known. */
  readonly total: number | undefined;
  /** What is counted, such as `secrets`. */
  readonly unit: string;
  /** Undefined while running. */
  readonly end: TaskEnd | undefined;
  readonly startedAt: number;
  readonly isStopping: boolean;
}

/** How the work reports its progress. */
export interface TaskReport {
  readonly signal: AbortSignal;
  readonly plan: (total: number) => void;
  readonly step: (step: TaskStep, counts: boolean) => void;
}

export interface TaskWork extends Pick<Task, 'environment' | 'title' | 'href' | 'unit'> {
  /** Never throws: a failure is its end. */
  readonly run: (report: TaskReport) => Promise<TaskEnd>;
}

/** How many steps are kept. */
export const stepLimit = 500;

/** Interval for showing steps, in ms: there may be thousands per second. */
const showMs = 100;

let tasks: readonly Task[] = [];
let nextId = 1;
const controllers = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function change(next: readonly Task[]): void {
  tasks = next;
  for (const listener of listeners) listener();
}

function put(id: number, update: (task: Task) => Task): void {
  change(tasks.map((task) => (task.id === id ? update(task) : task)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All tasks since the page was loaded that weren't dismissed, newest first. */
export function useTasks(): readonly Task[] {
  return useSyncExternalStore(subscribe, currentTasks);
}

export function currentTasks(): readonly Task[] {
  return tasks;
}

/** Begins a task. @returns its ID, and a promise of its end */
export function startTask({ run, ...work }: TaskWork): { id: number; end: Promise<TaskEnd> } {
  const id = nextId++;
  const controller = new AbortController();
  controllers.set(id, controller);
  change([
    {
      ...work,
      id,
      steps: [],
      earlierSteps: 0,
      done: 0,
      total: undefined,
      end: undefined,
      startedAt: Date.now(),
      isStopping: false,
    },
    ...tasks,
  ]);
  window.addEventListener('beforeunload', askBeforeLeaving);
  let waiting: TaskStep[] = [];
  let counted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (more: Partial<Task> = {}): void => {
    clearTimeout(timer);
    timer = undefined;
    const [steps, count] = [waiting, counted];
    waiting = [];
    counted = 0;
    put(id, (task) => {
      const all = [...task.steps, ...steps];
      const kept = all.slice(-stepLimit);
      const earlierSteps = task.earlierSteps + all.length - kept.length;
      return { ...task, done: task.done + count, steps: kept, earlierSteps, ...more };
    });
  };
  const end = run({
    signal: controller.signal,
    plan: (total) => {
      put(id, (task) => ({ ...task, total }));
    },
    step: (step, counts) => {
      waiting.push(step);
      if (counts) counted += 1;
      timer ??= setTimeout(() => {
        show();
      }, showMs);
    },
  }).then((ended) => {
    controllers.delete(id);
    show({ end: ended });
    if (controllers.size === 0) window.removeEventListener('beforeunload', askBeforeLeaving);
    return ended;
  });
  return { id, end };
}

/** Asks a task to stop. Its end says what was done until then. */
export function stopTask(id: number): void {
  put(id, (task) => ({ ...task, isStopping: true }));
  controllers.get(id)?.abort();
}

/** Dismisses a task that has ended. */
export function putAwayTask(id: number): void {
  change(tasks.filter((task) => task.id !== id || task.end === undefined));
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (mayAskBeforeLeaving()) event.preventDefault();
}
