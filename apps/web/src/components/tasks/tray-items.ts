/** The tray's words for tasks of all kinds. */
import type { Task } from '#lib/tasks.ts';

/** `busy` progresses, `waiting` waits for the user, the others have ended. */
export type TrayLook = 'busy' | 'waiting' | 'failed' | 'done';

export interface TrayItem {
  readonly key: string;
  /** `Move app/ to team/app`, `Publish acme/base 1.2.0` */
  readonly title: string;
  /** The progress: `2 images, 37 %, sending`. */
  readonly text: string;
  /** The progress for screen readers, announced at each quarter and each change of state. */
  readonly spoken: string;
  readonly look: TrayLook;
}

const order: readonly TrayLook[] = ['busy', 'failed', 'waiting', 'done'];

/** The item to show if there is space for only one: active work, then what needs the user. */
export function foremost(items: readonly TrayItem[]): TrayItem | undefined {
  return order.flatMap((look) => items.filter((item) => item.look === look)).at(0);
}

/** A share in quarters, so that not every percent is announced. */
export function quarterOf(done: number, total: number): string {
  return total <= 0 ? '0 %' : `${String(Math.min(4, Math.floor((done / total) * 4)) * 25)} %`;
}

const ends = {
  done: 'done',
  undone: 'rolled back',
  partly: 'partly done',
  failed: 'failed',
  unknown: 'outcome unknown',
  stopped: 'stopped',
} as const;

/** A task that the server executes step by step. */
export function taskItem({ id, title, end, done, total, unit, isStopping }: Task): TrayItem {
  const key = `task-${String(id)}`;
  if (end !== undefined) {
    const words = ends[end.outcome];
    return { key, title, text: words, spoken: words, look: end.outcome === 'done' ? 'done' : 'failed' };
  }
  if (isStopping) return { key, title, text: 'stopping', spoken: 'stopping', look: 'busy' };
  if (total === undefined) return { key, title, text: 'in progress', spoken: 'in progress', look: 'busy' };
  const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
  return { key, title, text, spoken: quarterOf(done, total), look: 'busy' };
}
