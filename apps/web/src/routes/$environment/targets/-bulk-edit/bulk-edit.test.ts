import type { Target, TargetFields } from '@gatehouse/api-types/console/targets';
import { fieldsOfTarget } from '@gatehouse/api-types/console/targets';
import { absent } from '@gatehouse/record-merge/absent';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testTarget } from '#components/targets/test-target.ts';
import { ApiError } from '#lib/api-error.ts';
import { commonValue, planFor, withValues, type BulkPath, type BulkValues } from './bulk-plan.ts';
import { isOpen, plannedRows, runBulk, type BulkRow, type BulkWrites } from './bulk-run.ts';

const values = (entries: readonly (readonly [BulkPath, unknown])[]): BulkValues => new Map(entries);
const anHour = values([['session_max_seconds', 3600]]);

const anyTarget = fc.record({
  session_max_seconds: fc.constantFrom(28_800, 3600),
  egress_worker_filter: fc.constantFrom('', 'a == b'),
  description: fc.constantFrom('', 'x'),
});
const anyValues = fc
  .record(
    {
      session_max_seconds: fc.constantFrom(3600, 60),
      egress_worker_filter: fc.constantFrom('', 'c == d'),
      'attributes.default_port': fc.constantFrom(22, 80),
    },
    { requiredKeys: [] },
  )
  .map((entries) => new Map(Object.entries(entries)) as BulkValues);

describe('planning', () => {
  test('sends only differences, and results in the values', () => {
    fc.assert(
      fc.property(anyTarget, anyValues, (fields, set) => {
        const before = testTarget(fields);
        const plan = planFor(before, set);
        const wanted = withValues(fieldsOfTarget(before), set);
        if (plan.kind === 'same') expect(wanted).toEqual(fieldsOfTarget(before));
        if (plan.kind !== 'change') return;
        expect(applied(before, plan.changes as Partial<TargetFields>)).toEqual(wanted);
        expect(planFor({ ...before, ...wanted }, set).kind).toBe('same');
      }),
    );
  });

  test.each([
    [testTarget({ authorized_actions: ['read'] }), anHour, "doesn't let you edit"],
    [testTarget(), values([['attributes.storage_bucket_id', 'b']]), 'only to SSH targets'],
    [testTarget({ address: '', host_source_ids: ['hsst_1'] }), values([['address', 'x.y']]), 'host sources'],
    [testTarget(), values([['attributes.default_port', null]]), 'needs a default port'],
    [
      testTarget({ egress_worker_filter: 'a == b' }),
      values([['worker_filter', 'c == d']]),
      'Use either this or',
    ],
  ])('reports impossible changes before sending anything', (to, set, reason) => {
    expect(planFor(to, set)).toMatchObject({
      kind: 'impossible',
      reason: expect.stringContaining(reason) as string,
    });
  });

  test('a field starts with the value that all targets share', () => {
    const two = [testTarget(), testTarget({ session_max_seconds: 60 })];
    expect(commonValue(two, 'session_max_seconds')).toBe(absent);
    expect(commonValue(two, 'attributes.default_port')).toBe(22);
    expect(commonValue([], 'address')).toBe(absent);
  });
});

function applied(before: Target, { attributes, ...changes }: Partial<TargetFields>): TargetFields {
  const fields = fieldsOfTarget(before);
  return { ...fields, ...changes, attributes: { ...fields.attributes, ...attributes } };
}

/** Runs the open rows against a store of targets. Returns the rows afterwards. */
async function run(
  rows: readonly BulkRow[],
  update: BulkWrites['update'],
  read: BulkWrites['read'] = () => Promise.reject(new ApiError('not-found')),
  set = anHour,
): Promise<readonly BulkRow[]> {
  const after = new Map(rows.map((row) => [row.target.id, row]));
  await runBulk(rows, set, { update, read }, (row) => after.set(row.target.id, row), new AbortController());
  return [...after.values()];
}
const saves: BulkWrites['update'] = (to, changes) =>
  Promise.resolve({ ...to, ...applied(to, changes as Partial<TargetFields>), revision: '2' });
const conflictWith = (current: Target | null): ApiError =>
  new ApiError('conflict', {
    type: 'urn:gatehouse:problem:conflict',
    title: 'Changed since you opened it',
    status: 409,
    code: 'conflict',
    detail: 'It was changed.',
    requestId: 'r',
    conflict: {
      resource: { environment: 'local', service: 'access', kind: 'target', id: 'ttcp_1234567890' },
      reason: current === null ? 'deleted' : 'modified',
      expectedRevision: '1',
      currentRevision: current?.revision ?? null,
      current,
      base: null,
      changedBy: null,
      changedAt: null,
    },
  });

describe('running', () => {
  test('writes every target once with its own revision', async () => {
    const targets = Array.from({ length: 12 }, (_, index) =>
      testTarget({ id: `ttcp_${String(index)}`, revision: String(index + 1) }),
    );
    const sent: string[] = [];
    const rows = await run(plannedRows(targets, anHour), (to, changes) => {
      sent.push(`${to.id} ${to.revision} ${JSON.stringify(changes)}`);
      return saves(to, changes);
    });
    expect(sent.toSorted()).toEqual(
      targets.map(({ id, revision }) => `${id} ${revision} {"session_max_seconds":3600}`).toSorted(),
    );
    expect(rows.every(({ state }) => state.kind === 'saved')).toBe(true);
  });

  test("keeps and reports someone else's changes, and writes only after confirmation", async () => {
    const current = testTarget({ revision: '5', description: 'theirs' });
    const [row] = await run(plannedRows([testTarget()], anHour), () => Promise.reject(conflictWith(current)));
    expect(row).toMatchObject({
      target: { revision: '5' },
      state: { kind: 'changed', others: [{ id: 'description' }] },
    });
    if (!row) return;
    expect(isOpen(row)).toBe(false);
    const [again] = await run([row], saves);
    expect(again).toMatchObject({
      target: { description: 'theirs', session_max_seconds: 3600 },
      state: { kind: 'saved' },
    });
  });

  test('nothing is left to do if someone else made the same change', async () => {
    const current = testTarget({ revision: '5', session_max_seconds: 3600 });
    const [row] = await run(plannedRows([testTarget()], anHour), () => Promise.reject(conflictWith(current)));
    expect(row).toMatchObject({ plan: { kind: 'same' }, state: { kind: 'planned' } });
  });

  test('reports a deleted target and continues', async () => {
    const two = [testTarget(), testTarget({ id: 'ttcp_2' })];
    const rows = await run(plannedRows(two, anHour), (to, changes) =>
      to.id === 'ttcp_1234567890' ? Promise.reject(new ApiError('not-found')) : saves(to, changes),
    );
    expect(rows.map(({ state }) => state.kind)).toEqual(['gone', 'saved']);
  });

  test('a missing permission stops the run and leaves the rest', async () => {
    const many = Array.from({ length: 50 }, (_, index) => testTarget({ id: `ttcp_${String(index)}` }));
    let asked = 0;
    const rows = await run(plannedRows(many, anHour), () => {
      asked += 1;
      return Promise.reject(new ApiError('forbidden'));
    });
    expect(asked).toBeLessThan(10);
    expect(rows.filter(isOpen)).toHaveLength(50);
  });

  test('looks up a write without a response before retrying', async () => {
    const [unknown] = await run(plannedRows([testTarget()], anHour), () =>
      Promise.reject(new ApiError('unreachable')),
    );
    expect(unknown?.state.kind).toBe('unknown');
    if (!unknown) return;
    const made = testTarget({ revision: '2', session_max_seconds: 3600 });
    const refuse: BulkWrites['update'] = () => Promise.reject(new Error('written twice'));
    const [found] = await run([unknown], refuse, () => Promise.resolve(made));
    expect(found?.state.kind).toBe('saved');
    const theirs = testTarget({ revision: '2', description: 'theirs' });
    const [other] = await run([unknown], refuse, () => Promise.resolve(theirs));
    expect(other?.state).toMatchObject({ kind: 'changed', others: [{ id: 'description' }] });
    const [lost] = await run([unknown], saves, () => Promise.resolve(testTarget()));
    expect(lost?.state.kind).toBe('saved');
  });
});
