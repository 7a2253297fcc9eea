import { Budget } from '@gatehouse/filter-expression/budget';
import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { Slices } from '@gatehouse/service-kit/slices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FieldFaults } from '../domain/refusal.ts';
import { blamedFields, itemsOf, startController } from '../testing/controller.ts';
import type { Client, TestController, Wire } from '../testing/controller.ts';
import { readFilter, stepsOfRequest } from './filter.ts';

const project = 'p_1234567890';
const nested = (levels: number): string =>
  `${Array.from({ length: levels }, (_, level) => `any "/item" as x${level} { `).join('')}x0 == "zz"${' }'.repeat(levels)}`;
const listOf = (of: string, filter: string): string => `/v1/${of}&filter=${encodeURIComponent(filter)}`;

let controller: TestController;
let operator: Client;
let target: Wire;

beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
  const created = await operator.post('/v1/targets', {
    scope_id: project,
    type: 'ssh',
    name: 'prod-eu-database-17',
    address: 'database-17.eu-central-1.example.com',
    description: 'x'.repeat(4000),
  });
  expect(created.status).toBe(200);
  target = created.body;
});
afterAll(() => controller[Symbol.asyncDispose]());

test('refuses deeply nested any and all, in lists with and without sign-in', async () => {
  const reader = await controller.as('read-only');
  for (const [client, of] of [
    [controller.anonymous, 'auth-methods?scope_id=global'],
    [reader, 'users?scope_id=global'],
    [reader, 'scopes?scope_id=global'],
    [reader, `targets?scope_id=${project}`],
    [reader, 'accounts?auth_method_id=ampw_1234567890'],
  ] as const) {
    const answer = await client.get(listOf(of, nested(9)));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: {
        request_fields: [{ name: 'filter', description: expect.stringContaining('at most 3 deep') }],
      },
    });
    expect((await client.get(listOf(of, nested(2)))).status).toBe(200);
  }
});

test('refuses a filter that is too expensive, with an explanation', async () => {
  const answer = await operator.get(
    listOf(`targets?scope_id=${project}`, '"/item/description" matches "[xz]{0,1000}y"'),
  );
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    details: {
      request_fields: [
        {
          name: 'filter',
          description:
            'This field could not be evaluated: the expression is too expensive: use fewer clauses, shorter patterns, or fewer any and all.',
        },
      ],
    },
  });
});

test('waits for its turn to parse a filter, but not without a filter', async () => {
  const allowance = { slices: new Slices(() => true, { name: 'ada', isKnown: true }), steps: 1000 };
  const faults = new FieldFaults();
  await expect(readFilter('"/item/name" = x', allowance, faults)).rejects.toMatchObject({ status: 499 });
  expect(await readFilter(' ', allowance, faults)).toBeUndefined();
  faults.refuseAny();
});

test("doesn't store a worker filter that is too expensive to evaluate", async () => {
  const answer = await operator.post('/v1/targets', {
    scope_id: project,
    type: 'ssh',
    name: 'other',
    egress_worker_filter: nested(4),
  });
  expect(answer.status).toBe(400);
  expect(blamedFields(answer)).toEqual(['egress_worker_filter']);
});

test('evaluates ten clauses with patterns over 100,000 targets within the budget', async () => {
  const clauses = [
    '"/item/name" matches "^prod-(eu|us)-[a-z]+-[0-9]{1,3}$"',
    '"/item/address" matches "^database-[0-9]+[.]eu-central-[0-9][.]example[.]com$"',
    '"/item/address" not matches "(?i)legacy"',
    '"/item/name" contains "database"',
    '"/item/type" == ssh',
    '"/item/version" == 1',
    '"/item/authorized_actions" contains "update"',
    'any "/item/authorized_actions" as action { action == "authorize-session" }',
    '"/item/scope/id" == p_1234567890',
    '"/item/address" is not empty',
  ];
  const filter = clauses.join(' and ');
  const found = await operator.get(listOf(`targets?scope_id=${project}`, filter));
  expect(itemsOf(found)).toMatchObject([{ id: target['id'] }]);
  const item = { ...target, description: 'The database of orders, behind the bastion in Frankfurt' };
  const budget = new Budget(stepsOfRequest / 100_000);
  expect(matchesFilter(parseFilter(filter), { item }, budget)).toBe(true);
});
