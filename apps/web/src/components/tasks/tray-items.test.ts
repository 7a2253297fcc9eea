import { expect, test } from 'vitest';
import type { Task } from '#lib/tasks.ts';
import { foremost, quarterOf, taskItem, type TrayItem } from './tray-items.ts';

const task: Task = {
  id: 7,
  environment: 'local',
  title: 'Move app/ to team/app',
  href: '/local/secrets',
  steps: [],
  earlierSteps: 0,
  done: 1499,
  total: 3000,
  unit: 'secrets',
  end: undefined,
  startedAt: 0,
  isStopping: false,
};

test('active work takes precedence, followed by failures', () => {
  const items = (['done', 'waiting', 'failed', 'busy'] as const).map((look): TrayItem => ({
    key: look,
    title: '',
    text: '',
    spoken: '',
    look,
  }));
  expect(foremost(items)?.look).toBe('busy');
  expect(foremost(items.slice(0, 3))?.look).toBe('failed');
  expect(foremost([])).toBeUndefined();
});

test('every step is shown, and every quarter is announced', () => {
  expect(taskItem(task)).toMatchObject({ text: '1,499 of 3,000 secrets', spoken: '25 %', look: 'busy' });
  expect(taskItem({ ...task, done: 1500 }).spoken).toBe('50 %');
  expect(quarterOf(0, 0)).toBe('0 %');
  expect(quarterOf(3000, 3000)).toBe('100 %');
  expect(taskItem({ ...task, end: { outcome: 'partly', summary: '' } })).toMatchObject({
    text: 'partly done',
    look: 'failed',
  });
});
