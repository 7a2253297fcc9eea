import type { Target } from '@gatehouse/api-types/console/targets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { credentialKinds, type CredentialKind, type TargetSourceWrites } from '#queries/target-sources.ts';
import type { SourceValues } from './source-form.ts';
import { writeSources } from './write-sources.ts';

/** A target in memory with the controller's rules. Expects the latest revision. */
function memory(begin: SourceValues) {
  let values = structuredClone(begin);
  let revision = 1;
  const answer = () => ({ id: 't', revision: String(revision), ...structuredClone(values) }) as Target;
  const apply = (held: readonly string[], action: string, ids: readonly string[]): string[] => {
    const [set, named] = [new Set(held), new Set(ids)];
    if (action === 'add' && !set.isDisjointFrom(named)) throw new Error('already there');
    if (action === 'remove' && !named.isSubsetOf(set)) throw new Error('not there');
    return [...(action === 'add' ? set.union(named) : action === 'remove' ? set.difference(named) : named)];
  };
  const write = (at: { revision: string }, next: SourceValues): Promise<Target> => {
    expect(at.revision).toBe(String(revision));
    if (next.address !== '' && next.host_source_ids.length > 0) throw new Error('they exclude each other');
    values = next;
    revision += 1;
    return Promise.resolve(answer());
  };
  const writes: TargetSourceWrites = {
    read: () => Promise.resolve(answer()),
    setAddress: (at, address) => write(at, { ...values, address }),
    changeHosts: (at, { action, host_source_ids: ids }) =>
      write(at, { ...values, host_source_ids: apply(values.host_source_ids, action, ids) }),
    changeCredentials: (at, { action, ...kinds }) => {
      const next = { ...values };
      for (const kind of credentialKinds) {
        const ids = kinds[kind];
        if (ids !== undefined) next[kind] = apply(values[kind], action, ids);
      }
      return write(at, next);
    },
  };
  return { writes, values: () => values, count: () => revision - 1 };
}

const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
const values: fc.Arbitrary<SourceValues> = fc
  .record({
    address: fc.constantFrom('', '10.0.0.1', '10.0.0.2'),
    host_source_ids: set,
    brokered_credential_source_ids: set,
    injected_application_credential_source_ids: set,
    application_credential_source_ids: set,
  })
  .map((made) => (made.address === '' ? made : { ...made, host_source_ids: [] }));

test('stores the requested sources, whatever was stored before', async () => {
  await fc.assert(
    fc.asyncProperty(values, values, async (before, after) => {
      const { writes, values: stored, count } = memory(before);
      let told = 0;
      const reached = (): void => {
        told += 1;
      };
      await writeSources(writes, { id: 't', revision: '1' }, before, after, reached);
      const sorted = (of: SourceValues) => ({
        ...of,
        host_source_ids: of.host_source_ids.toSorted(),
        ...Object.fromEntries(credentialKinds.map((kind: CredentialKind) => [kind, of[kind].toSorted()])),
      });
      expect(sorted(stored())).toEqual(sorted(after));
      expect(count()).toBeLessThanOrEqual(3);
      expect(told).toBe(count());
    }),
  );
});
