/**
 * Long work that goes on while one looks at other screens: a sequence that the server does step by step. Every screen
 * shows what is under way; closing the page ends it, so that is asked about.
 */
import { useSyncExternalStore } from 'react';
import { mayAskBeforeLeaving } from './dirty-guard.ts';

export interface TaskStep {
  /** `Wrote version 2 of secret/app/db` */
  readonly text: string;
  readonly state: 'done' | 'failed' | 'skipped';
  /** Why, or what was left behind. */
  readonly detail?: string;
}

/** How it ended: as was meant, taken back as a whole, in between, refused, not reported, or stopped by the person. */
export type TaskOutcome = 'done' | 'undone' | 'partly' | 'failed' | 'unknown' | 'stopped';

export interface TaskEnd {
  readonly outcome: TaskOutcome;
  /** In a sentence or two. */
  readonly summary: string;
  readonly requestId?: string;
}

export interface Task {
  readonly id: number;
  readonly environment: string;
  /** `Move app/ to team/app` */
  readonly title: string;
  /** Where what it made can be looked at. */
  readonly href: string;
  /** The last ones, oldest first. */
  readonly steps: readonly TaskStep[];
  /** Steps before these, which are no longer kept. */
  readonly earlierSteps: number;
  readonly done: number;
  /** Undefined before it is known how much there is to do. */
  readonly total: number | undefined;
  /** What is counted: `secrets`. */
  readonly unit: string;
  /** Undefined while it runs. */
  readonly end: TaskEnd | undefined;
  readonly startedAt: number;
  readonly isStopping: boolean;
}

/** What the work tells about itself. */
export interface TaskReport {
  readonly signal: AbortSignal;
  readonly plan: (total: number) => void;
  readonly step: (step: TaskStep, counts: boolean) => void;
}

export interface TaskWork extends Pick<Task, 'environment' | 'title' | 'href' | 'unit'> {
  /** Never throws: what it fails with is its end. */
  readonly run: (report: TaskReport) => Promise<TaskEnd>;
}

/** Steps of a task that are kept to be shown. */
export const stepLimit = 500;

/** How often the steps of a task are shown, in ms: a sequence may send thousands a second. */
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

/** All tasks since the page was loaded that were not dismissed, newest first. */
export function useTasks(): readonly Task[] {
  return useSyncExternalStore(subscribe, currentTasks);
}

export function currentTasks(): readonly Task[] {
  return tasks;
}

/** Begins a task. @returns its id, and its end */
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

/** Asks a task to stop; what that means for what was done already, its end says. */
export function stopTask(id: number): void {
  put(id, (task) => ({ ...task, isStopping: true }));
  controllers.get(id)?.abort();
}

/** Takes a task that has ended out of sight. */
export function putAwayTask(id: number): void {
  change(tasks.filter((task) => task.id !== id || task.end === undefined));
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (mayAskBeforeLeaving()) event.preventDefault();
}
