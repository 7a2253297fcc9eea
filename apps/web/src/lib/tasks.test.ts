import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { currentTasks, putAwayTask, startTask, stepLimit, stopTask, type TaskReport } from './tasks.ts';

const work = { environment: 'production', title: 'Move', href: '/', unit: 'secrets' };

/** A task whose work the test controls. */
function begin() {
  const { promise, resolve } = Promise.withResolvers<'done' | 'stopped'>();
  let told: TaskReport | undefined;
  const task = startTask({
    ...work,
    run: async (report) => {
      told = report;
      return { outcome: await promise, summary: 'It ended.' };
    },
  });
  if (told === undefined) throw new Error('The work did not begin.');
  return { ...task, report: told, finish: resolve };
}

const leaving = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

beforeAll(() => {
  vi.stubGlobal('window', new EventTarget());
});

afterEach(() => {
  for (const { id } of currentTasks()) putAwayTask(id);
});

describe('a task', () => {
  test('counts its steps, and reports its end', async () => {
    const { id, report, finish, end } = begin();
    report.plan(2);
    report.step({ text: 'Wrote a', state: 'done' }, true);
    report.step({ text: 'Checked a', state: 'done' }, false);
    await vi.waitFor(() => {
      expect(currentTasks()[0]).toMatchObject({ id, total: 2, done: 1, end: undefined });
    });
    report.step({ text: 'Checked b', state: 'done' }, true);
    putAwayTask(id);
    expect(currentTasks()).toHaveLength(1);
    finish('done');
    await end;
    // Includes the steps just before the end.
    expect(currentTasks()[0]).toMatchObject({ done: 2, end: { outcome: 'done', summary: 'It ended.' } });
    putAwayTask(id);
    expect(currentTasks()).toEqual([]);
  });

  test('keeps only its last steps', async () => {
    const { report, finish, end } = begin();
    for (let step = 0; step < stepLimit + 3; step += 1) {
      report.step({ text: String(step), state: 'done' }, true);
    }
    finish('done');
    await end;
    expect(currentTasks()[0]).toMatchObject({ done: stepLimit + 3, earlierSteps: 3 });
    expect(currentTasks()[0]?.steps[0]?.text).toBe('3');
  });

  test('stops on request, and requires confirmation before the page is left', async () => {
    expect(leaving()).toBe(false);
    const [one, other] = [begin(), begin()];
    expect(leaving()).toBe(true);
    stopTask(one.id);
    expect(one.report.signal.aborted).toBe(true);
    expect(other.report.signal.aborted).toBe(false);
    expect(currentTasks().find(({ id }) => id === one.id)?.isStopping).toBe(true);
    one.finish('stopped');
    await one.end;
    expect(leaving()).toBe(true);
    other.finish('done');
    await other.end;
    expect(leaving()).toBe(false);
  });
});
