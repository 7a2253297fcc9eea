import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { SourceMaker } from '../../testing/sources.ts';

const numRuns = process.env['GATEHOUSE_DEEP'] === '1' ? 1000 : 30;
const hostField = 'host_source_ids';
const credentialFields = [
  'application_credential_source_ids',
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
] as const;
const fields = [hostField, ...credentialFields] as const;
type Field = (typeof fields)[number];

let controller: TestController;
let client: Client;
let make: SourceMaker;
let catalog: string;
let store: string;
beforeAll(async () => {
  controller = await startController();
  client = await controller.as('operator');
  make = new SourceMaker(controller, client);
  [catalog, store] = [await make.catalog(), await make.store()];
});
afterAll(() => controller[Symbol.asyncDispose]());

/** The expected target, from the rules only. */
interface Model {
  version: number;
  address: string;
  readonly sources: Record<Field, ReadonlySet<string>>;
}

/** All sources. Deleted ones stay in the pool, for requests that must fail. */
interface Pool {
  readonly of: Readonly<Record<Field, readonly string[]>>;
  readonly removed: Set<string>;
}

type Step =
  | {
      readonly kind: 'sources';
      readonly verb: 'add' | 'set' | 'remove';
      readonly what: 'host' | 'credential';
      readonly picks: Readonly<Record<Field, readonly number[]>>;
      readonly behind: number;
    }
  | { readonly kind: 'address'; readonly address: string | null; readonly behind: number }
  | { readonly kind: 'delete'; readonly field: Field; readonly pick: number };

const behind = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constant(1));
const picks = fc.array(fc.nat({ max: 4 }), { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sources' as const),
      verb: fc.constantFrom('add', 'set', 'remove'),
      what: fc.constantFrom('host', 'credential'),
      picks: fc.record({
        host_source_ids: picks,
        application_credential_source_ids: picks,
        brokered_credential_source_ids: picks,
        injected_application_credential_source_ids: picks,
      }),
      behind,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('address' as const),
      address: fc.constantFrom('10.0.0.1', null),
      behind,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      field: fc.constantFrom(hostField, credentialFields[0]),
      pick: fc.nat({ max: 4 }),
    }),
  },
);

const idsOf = (pool: Pool, field: Field, chosen: readonly number[]): string[] =>
  chosen.flatMap((at) => pool.of[field][at] ?? []);

/** Applies a change of sources by the rules: the expected status, and the changed model. */
function expectSources(
  model: Model,
  pool: Pool,
  { verb, what, picks, behind }: Step & { readonly kind: 'sources' },
): number {
  const mine = what === 'host' ? ([hostField] as const) : credentialFields;
  const asked = mine.map((field) => [field, new Set(idsOf(pool, field, picks[field]))] as const);
  if (verb !== 'set' && asked.every(([, ids]) => ids.size === 0)) return 400;
  if (behind > 0) return 404;
  if (what === 'host' && verb !== 'remove' && model.address !== '') return 400;
  const after = asked.map(([field, ids]) => {
    const before = model.sources[field];
    switch (verb) {
      case 'add':
        return {
          field,
          ok: before.isDisjointFrom(ids) && ids.isDisjointFrom(pool.removed),
          ids: before.union(ids),
        };
      case 'remove':
        return { field, ok: ids.isSubsetOf(before), ids: before.difference(ids) };
      case 'set':
        return { field, ok: ids.isDisjointFrom(pool.removed), ids };
    }
  });
  if (after.some(({ ok }) => !ok)) return 400;
  const changed = after.some(({ field, ids }) => ids.symmetricDifference(model.sources[field]).size > 0);
  for (const { field, ids } of after) model.sources[field] = ids;
  if (changed) model.version++;
  return 200;
}

function expectAddress(model: Model, { address, behind }: Step & { readonly kind: 'address' }): number {
  if (behind > 0) return 404;
  if (address !== null && model.sources[hostField].size > 0) return 400;
  model.address = address ?? '';
  model.version++;
  return 200;
}

function expectDelete(model: Model, pool: Pool, id: string): void {
  pool.removed.add(id);
  let linked = false;
  for (const field of fields) {
    linked ||= model.sources[field].has(id);
    model.sources[field] = model.sources[field].difference(new Set([id]));
  }
  if (linked) model.version++;
}

test("follows the rules for any sequence of changes, and counts every change in the target's version", async () => {
  const hosts = async (): Promise<string[]> =>
    Promise.all(Array.from({ length: 5 }, () => make.set(catalog)));
  const credentials = async (): Promise<string[]> =>
    Promise.all(Array.from({ length: 5 }, () => make.credential(store)));
  let accepted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const shared = await credentials();
      const pool: Pool = {
        of: {
          host_source_ids: await hosts(),
          application_credential_source_ids: shared,
          brokered_credential_source_ids: shared,
          injected_application_credential_source_ids: shared,
        },
        removed: new Set(),
      };
      const id = textOf(await make.target(), 'id');
      const none = new Set<string>();
      const model: Model = {
        version: 1,
        address: '',
        sources: {
          host_source_ids: none,
          application_credential_source_ids: none,
          brokered_credential_source_ids: none,
          injected_application_credential_source_ids: none,
        },
      };
      for (const one of steps) {
        let answer: Answer;
        let expected: number;
        switch (one.kind) {
          case 'sources': {
            const version = model.version + one.behind;
            const body: Wire = {
              version,
              ...Object.fromEntries(fields.map((field) => [field, idsOf(pool, field, one.picks[field])])),
            };
            answer = await client.post(`/v1/targets/${id}:${one.verb}-${one.what}-sources`, body);
            expected = expectSources(model, pool, one);
            break;
          }
          case 'address': {
            const version = model.version + one.behind;
            answer = await client.patch(`/v1/targets/${id}`, { version, address: one.address });
            expected = expectAddress(model, one);
            break;
          }
          case 'delete': {
            const source = pool.of[one.field][one.pick] ?? '';
            const path = one.field === hostField ? 'host-sets' : 'credentials';
            answer = await client.delete(`/v1/${path}/${source}`);
            expected = pool.removed.has(source) ? 404 : 204;
            expectDelete(model, pool, source);
            break;
          }
        }
        expect([one, answer.status]).toEqual([one, expected]);
        if (answer.status < 300) accepted++;
        else refused++;
        const target = (await client.get(`/v1/targets/${id}`)).body;
        expect(target).toMatchObject({ version: model.version, address: model.address });
        for (const field of fields) expect(target[field]).toEqual([...model.sources[field]].sort());
        if (answer.status === 200) expect(answer.body).toEqual(target);
      }
    }),
    { numRuns },
  );
  expect(accepted).toBeGreaterThan(numRuns);
  expect(refused).toBeGreaterThan(numRuns);
});
