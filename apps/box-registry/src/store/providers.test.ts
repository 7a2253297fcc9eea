import { openStore } from '@gatehouse/service-kit/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
import { boxStore } from './boxes.ts';
import { namespaceStore } from './namespaces.ts';
import { providerStore } from './providers.ts';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';
import { versionStore } from './versions.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';

const name = fc.constantFrom('libvirt', 'qemu', 'LibVirt');
const architecture = fc.constantFrom('unknown', 'amd64', 'arm64');
const create = fc.record({
  kind: fc.constant('create' as const),
  provider: fc.record({
    name,
    architecture: fc.option(architecture, { nil: undefined, freq: 3 }),
    isDefault: fc.boolean(),
  }),
});
const update = fc.record({
  kind: fc.constant('update' as const),
  at: fc.nat(5),
  change: fc.record(
    { name, architecture, isDefault: fc.boolean(), nameMustBeNew: fc.boolean() },
    { requiredKeys: [] },
  ),
});
const remove = fc.record({ kind: fc.constant('remove' as const), at: fc.nat(5) });
const step = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 3, arbitrary: update },
  { weight: 1, arbitrary: remove },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Row {
  name: string;
  architecture: string;
  isDefault: boolean;
}

/** The expected providers after a step; undefined if the step must be refused. */
function expected(rows: readonly Row[], step: Step): Row[] | undefined {
  const named = (wanted: string, but?: Row) => rows.filter((row) => alike(row.name, wanted) && row !== but);
  if (step.kind === 'create') {
    const { name, architecture, isDefault } = step.provider;
    if (architecture === undefined && named(name).length > 0) return undefined;
    return placed(rows, { name, architecture: architecture ?? 'unknown', isDefault });
  }
  const row = rows[step.at % rows.length];
  if (row === undefined) return undefined;
  const hasOthers = named(row.name, row).length > 0;
  const rest = rows.filter((one) => one !== row);
  if (step.kind === 'remove') return row.isDefault && hasOthers ? undefined : rest;
  const { name = row.name, architecture = row.architecture, isDefault, nameMustBeNew = false } = step.change;
  const moves = !alike(name, row.name);
  if (row.isDefault && hasOthers && (moves || isDefault === false)) return undefined;
  if (moves && nameMustBeNew && named(name).length > 0) return undefined;
  return placed(rest, { name, architecture, isDefault: isDefault === true || (row.isDefault && !moves) });
}

/** Adds a provider to the others; undefined if its name and architecture are taken. */
function placed(others: readonly Row[], row: Row): Row[] | undefined {
  const same = others.filter((one) => alike(one.name, row.name));
  if (same.some((one) => one.architecture === row.architecture)) return undefined;
  const isDefault = row.isDefault || same.length === 0;
  return [
    ...others.map((one) => (isDefault && alike(one.name, row.name) ? { ...one, isDefault: false } : one)),
    { ...row, name: same[0]?.name ?? row.name, isDefault },
  ];
}

function alike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const text = (rows: readonly Row[]): string[] =>
  rows.map((row) => `${row.name} ${row.architecture}${row.isDefault ? ' default' : ''}`).toSorted();

test(
  'keeps exactly one default per name through any creates, renames, deletes and changes of the default',
  { timeout: deep ? 300_000 : 60_000 },
  async () => {
    const store = openStore<Schema>({ file: ':memory:', migrations });
    const providers = providerStore(store);
    const versions = versionStore(store);
    const { id: namespaceId } = await namespaceStore(store).createOrganization({
      reuse: undefined,
      name: 'acme',
      profile: '',
      ownerId: 'u_1',
      now: 0,
    });
    const boxes = boxStore(store);
    const box = { shortDescription: '', description: '', isPrivate: false };
    const { id: boxId } = await boxes.create({ namespaceId, name: 'deb', ...box }, 0);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
        const number = `1.${count++}`;
        const { id } = await versions.create(boxId, { version: number, description: '' }, 0);
        const stored = () => versions.find(boxId, number)?.providers ?? [];
        for (const change of steps) {
          const before = stored();
          const wanted = expected(before, change);
          const run = (): Promise<unknown> => {
            if (change.kind === 'create')
              return providers.create(id, { ...change.provider, url: null, checksum: null }, 1);
            const at = before[change.at % before.length]?.id ?? '';
            return change.kind === 'remove' ? providers.remove(at) : providers.update(at, change.change, 1);
          };
          const outcome = await run().then(
            () => 'done',
            (error: unknown) => (error instanceof Refusal ? 'refused' : error),
          );
          expect(outcome).toBe(wanted === undefined ? 'refused' : 'done');
          expect(text(stored())).toEqual(text(wanted ?? before));
          for (const one of new Set(stored().map((row) => row.name))) {
            expect(stored().filter((row) => row.name === one && row.isDefault)).toHaveLength(1);
            expect(providers.find(id, one)?.isDefault).toBe(true);
          }
        }
      }),
      { numRuns: deep ? 2000 : 150 },
    );
    await store.close();
  },
);
