import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '#ground/problem.ts';
import { guardedDelete, guardedWrite, outcomeUnknown, type FailedWrite } from './guarded-write.ts';

interface Stored {
  readonly version: number;
  readonly fields: Readonly<Record<string, string>>;
}

class Failure extends Error {
  readonly meaning: FailedWrite;
  constructor(meaning: FailedWrite) {
    super(meaning);
    this.meaning = meaning;
  }
}

type Fault = 'none' | 'lost before' | 'lost after' | 'refused' | 'read fails';
type Step =
  | { readonly kind: 'other'; readonly field: string; readonly value: string }
  | { readonly kind: 'delete' };

/** A service with versions, whose answers fail as scripted. `between` runs before one of its calls. */
function service(faults: readonly Fault[], between: readonly (Step | undefined)[]) {
  let stored: Stored | null = { version: 1, fields: { a: 'a', b: 'b' } };
  const applied: { readonly by: string; readonly seen: number; readonly had: number }[] = [];
  let calls = 0;
  const next = (): Fault => {
    const step = between[calls];
    if (step !== undefined && stored !== null) {
      if (step.kind === 'delete') stored = null;
      else {
        applied.push({ by: 'other', seen: stored.version, had: stored.version });
        stored = { version: stored.version + 1, fields: { ...stored.fields, [step.field]: step.value } };
      }
    }
    return faults[calls++] ?? 'none';
  };
  return {
    applied,
    current: () => stored,
    write: async (version: number, changes: Readonly<Record<string, string>>): Promise<Stored> => {
      const fault = next();
      if (fault === 'lost before') throw new Failure('unknown');
      if (fault === 'refused') throw new Failure('refused');
      if (stored === null || stored.version !== version) throw new Failure('perhaps-stale');
      applied.push({ by: 'me', seen: version, had: stored.version });
      stored = { version: version + 1, fields: { ...stored.fields, ...changes } };
      if (fault === 'lost after') throw new Failure('unknown');
      return stored;
    },
    remove: async (): Promise<void> => {
      const fault = next();
      if (fault === 'lost before') throw new Failure('unknown');
      if (fault === 'refused') throw new Failure('refused');
      if (stored === null) throw new Failure('perhaps-stale');
      stored = null;
      if (fault === 'lost after') throw new Failure('unknown');
    },
    read: async (): Promise<Stored | null> => {
      if (next() === 'read fails') throw new Failure('unknown');
      return stored;
    },
  };
}

const note = { changed: () => undefined };
const resource = { environment: 'test', service: 'access', kind: 'target', id: 'x' } as const;
const failed = (error: unknown): FailedWrite => (error instanceof Failure ? error.meaning : 'refused');
const fault = fc.constantFrom<Fault>('none', 'none', 'lost before', 'lost after', 'refused', 'read fails');
const step = fc.option(
  fc.oneof(
    fc.record({
      kind: fc.constant('other' as const),
      field: fc.constantFrom('a', 'b'),
      value: fc.constantFrom('mine', 'theirs'),
    }),
    fc.constant({ kind: 'delete' as const }),
  ),
  { nil: undefined, freq: 2 },
);
const numRuns = process.env['GATEHOUSE_DEEP'] === '1' ? 100_000 : 3_000;

describe('a guarded write, whatever fails and whatever others write in the meantime', () => {
  test('never overwrites an unseen change, and reports the true outcome', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 6 }),
        fc.array(step, { maxLength: 6 }),
        fc.boolean(),
        async (faults, between, readFirst) => {
          const one = service(faults, between);
          const sent = { a: 'mine' };
          let isNoted = false;
          let sends = 0;
          const outcome: unknown = await guardedWrite<Stored>({
            resource,
            note: {
              changed: () => {
                isNoted = true;
              },
            },
            expected: '1',
            send: () => {
              sends += 1;
              return one.write(1, sent);
            },
            read: one.read,
            revisionOf: ({ version }) => String(version),
            equalsSent: ({ fields }) => fields['a'] === sent.a,
            failed,
            readFirst,
          }).catch((error: unknown) => error);
          expect(one.applied.every(({ seen, had }) => seen === had)).toBe(true);
          const mine = one.applied.filter(({ by }) => by === 'me').length;
          expect(mine).toBeLessThanOrEqual(1);
          // A service that got no write didn't check the right to make it.
          expect(isNoted).toBe(sends === 0 && !(outcome instanceof Error));
          if (!(outcome instanceof Error)) {
            expect((outcome as Stored).fields['a']).toBe('mine');
            expect((outcome as Stored).version).toBeGreaterThan(1);
          } else if (outcome instanceof ProblemError && outcome.code === 'conflict') {
            const { conflict } = outcome.init;
            expect(conflict?.expectedRevision).toBe('1');
            if (mine > 0) expect(outcome.init.mayBeDone).toBe(true);
            if (conflict?.reason === 'deleted') expect(one.current()).toBeNull();
            else expect(conflict?.current).not.toMatchObject({ fields: { a: 'mine' } });
          } else if (outcome instanceof ProblemError) {
            expect(outcome.code).toBe('outcome-unknown');
          } else if (outcome instanceof Failure && outcome.meaning === 'refused') {
            expect(faults).toContain('refused');
          }
        },
      ),
      { numRuns },
    );
  });

  test('never deletes a changed record, and reports the true outcome', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 6 }),
        fc.array(step, { maxLength: 6 }),
        async (faults, between) => {
          const one = service(faults, between);
          const outcome: unknown = await guardedDelete<Stored>({
            resource,
            expected: '1',
            remove: one.remove,
            read: one.read,
            revisionOf: ({ version }) => String(version),
            failed,
          }).catch((error: unknown) => error);
          if (outcome === undefined) expect(one.current()).toBeNull();
          else if (outcome instanceof ProblemError && outcome.code === 'conflict') {
            expect(one.current()?.version ?? 2).toBeGreaterThan(1);
          }
        },
      ),
      { numRuns },
    );
  });
});

describe('one case each', () => {
  const write = (one: ReturnType<typeof service>, readFirst = false) =>
    guardedWrite<Stored>({
      resource,
      note,
      expected: '1',
      send: () => one.write(1, { a: 'mine' }),
      read: one.read,
      revisionOf: ({ version }) => String(version),
      equalsSent: ({ fields }) => fields['a'] === 'mine',
      changedAt: () => '2026-01-01T00:00:00Z',
      failed,
      readFirst,
    });

  test('succeeds if the answer to its own write was lost', async () => {
    expect(await write(service(['lost after'], []))).toMatchObject({ version: 2, fields: { a: 'mine' } });
  });

  test('sends a write again that never arrived', async () => {
    expect(await write(service(['lost before'], []))).toMatchObject({ version: 2 });
  });

  test('reports an unknown outcome of a write that never arrives', async () => {
    await expect(write(service(['lost before', 'none', 'lost before'], []))).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  });

  test('reports the error behind an unknown outcome', () => {
    const resource = { environment: 'test', service: 'secrets', kind: 'role', id: 'r' } as const;
    expect(outcomeUnknown({ resource }, new ProblemError('bad-answer', 'It failed.')).message).toMatch(
      /Check the role before you repeat the change\. It failed\.$/,
    );
  });

  test("reports an unknown outcome if the record can't be read again", async () => {
    await expect(write(service(['lost after', 'read fails'], []))).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  });

  test('reports a concurrent change as a conflict with the current record', async () => {
    const between: Step[] = [{ kind: 'other', field: 'a', value: 'theirs' }];
    for (const readFirst of [false, true]) {
      await expect(write(service([], between), readFirst)).rejects.toMatchObject({
        code: 'conflict',
        status: 409,
        init: {
          conflict: {
            resource,
            reason: 'modified',
            expectedRevision: '1',
            currentRevision: '2',
            current: { version: 2, fields: { a: 'theirs', b: 'b' } },
            base: null,
            changedBy: null,
            changedAt: '2026-01-01T00:00:00Z',
          },
        },
      });
    }
  });

  test('reports a concurrent deletion as a conflict without a record', async () => {
    await expect(write(service([], [{ kind: 'delete' }]))).rejects.toMatchObject({
      init: { conflict: { reason: 'deleted', current: null, currentRevision: null } },
    });
  });
});

test('a write waits for a deletion that has read the record, even if the service guards writes', async () => {
  const { write, remove, read, current } = service([], []);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const guarded = {
    resource,
    expected: '1',
    read,
    failed,
    revisionOf: (stored: Stored) => String(stored.version),
  };
  const deletion = guardedDelete({
    ...guarded,
    remove: async () => {
      asked.resolve();
      await answered.promise;
      await remove();
    },
  });
  await asked.promise;
  const edit = guardedWrite({
    ...guarded,
    readFirst: false,
    equalsSent: () => false,
    send: () => write(1, { a: 'mine' }),
  });
  await new Promise(setImmediate);
  answered.resolve();
  await deletion;
  await expect(edit).rejects.toMatchObject({ code: 'conflict' });
  expect(current()).toBeNull();
});

test('gives the record that was read first to the write', async () => {
  const at = service([], []);
  const seen: (Stored | undefined)[] = [];
  const write = (readFirst: boolean) =>
    guardedWrite<Stored>({
      resource,
      note,
      expected: String(at.current()?.version),
      readFirst,
      read: at.read,
      revisionOf: ({ version }) => String(version),
      failed,
      equalsSent: () => false,
      send(before) {
        seen.push(before);
        return at.write(at.current()?.version ?? 0, { a: 'mine' });
      },
    });
  const first = at.current();
  await write(true);
  await write(false);
  expect(seen).toEqual([first, undefined]);
});
