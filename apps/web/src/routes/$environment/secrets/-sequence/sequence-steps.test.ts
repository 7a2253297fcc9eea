import type { TransferLine } from '@gatehouse/api-types/console/secret-transfers';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import type { TaskStep } from '#lib/tasks.ts';
import { endInWords, runSequence, stepInWords } from './sequence-steps.ts';

const step = {
  kind: 'step',
  mount: 'secret',
  path: 'app/db',
  version: 2,
  state: 'done',
  detail: null,
} as const;

async function run(lines: readonly TransferLine[], failure?: Error) {
  const steps: TaskStep[] = [];
  let [total, done] = [0, 0];
  const controller = new AbortController();
  async function* stream(): AsyncGenerator<TransferLine> {
    yield* lines;
    await Promise.resolve();
    if (failure?.name === 'AbortError') controller.abort();
    if (failure) throw failure;
  }
  const end = await runSequence(
    {
      signal: controller.signal,
      plan: (count) => {
        total = count;
      },
      step: (told, counts) => {
        steps.push(told);
        if (counts) done += 1;
      },
    },
    stream(),
    { counted: new Set(['check', 'remove']), onceBegun: 'Look at both places.' },
  );
  return { end, steps: steps.map(({ text }) => text), total, done };
}

test('reports each step, and counts the steps of every secret', async () => {
  const { end, steps, total, done } = await run([
    { kind: 'plan', secrets: 1 },
    { ...step, action: 'write' },
    { ...step, action: 'check' },
    { ...step, action: 'remove', version: null },
    { kind: 'end', outcome: 'done', written: 1, removed: 1, code: null, detail: null },
  ]);
  expect(steps).toEqual([
    'Wrote version 2 of secret/app/db',
    'Checked version 2 of secret/app/db',
    'Removed secret/app/db',
  ]);
  expect([done, total]).toEqual([2, 2]);
  expect(end).toEqual({ outcome: 'done', summary: '1 secret written, 1 removed from the old path.' });
});

test('reports what a finished sequence left out', async () => {
  const detail = "The settings and custom metadata of 1 secret weren't copied.";
  const { end } = await run([
    { kind: 'plan', secrets: 1 },
    { kind: 'end', outcome: 'done', written: 1, removed: 0, code: null, detail },
  ]);
  expect(end).toEqual({ outcome: 'done', summary: `1 secret written. ${detail}` });
});

test('reports failed and undone steps', async () => {
  expect(stepInWords({ ...step, action: 'write', state: 'failed', detail: 'Denied.' })).toEqual({
    text: "Couldn't write version 2 of secret/app/db",
    state: 'failed',
    detail: 'Denied.',
  });
  expect(
    stepInWords({ ...step, action: 'undo', version: null, state: 'skipped', detail: 'Nothing was written.' }),
  ).toEqual({ text: 'Skipped secret/app/db', state: 'skipped', detail: 'Nothing was written.' });
  expect(
    endInWords({
      kind: 'end',
      outcome: 'undone',
      written: 0,
      removed: 0,
      code: 'forbidden',
      detail: 'Denied.',
    }),
  ).toEqual({ outcome: 'undone', summary: 'Everything was undone. Denied.' });
  const { end } = await run([{ kind: 'plan', secrets: 1 }], new ApiError('unreachable'));
  expect(end).toEqual({
    outcome: 'unknown',
    summary: "The console isn't responding. Look at both places.",
  });
  expect((await run([], new ApiError('unreachable'))).end).toEqual(end);
  expect((await run([], new ApiError('conflict'))).end).toMatchObject({
    outcome: 'failed',
    summary: expect.stringContaining('Conflict'),
  });
});

test("a stopped or truncated sequence isn't reported as done", async () => {
  expect((await run([], new DOMException('', 'AbortError'))).end).toEqual({
    outcome: 'stopped',
    summary: 'Look at both places.',
  });
  expect((await run([{ kind: 'plan', secrets: 2 }])).end).toEqual({
    outcome: 'unknown',
    summary: 'The response ended early. Look at both places.',
  });
});
