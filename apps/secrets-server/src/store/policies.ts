import { initialPolicies } from '../domain/policy/initial-policies.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { defaultPolicyName } from '../domain/policy/policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';
import { places } from './places.ts';

/** A parsed policy with its text. */
export interface StoredPolicy extends Policy {
  readonly text: string;
}

/** Policies by namespace and name, cached because every request needs them. */
export type PolicyStore = ReturnType<typeof policyStore>;

export function policyStore(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const byNamespace = new Map<string, ReadonlyMap<string, StoredPolicy>>();
  let generation = 0;
  const changed = (namespace?: string): void => {
    generation += 1;
    if (namespace === undefined) byNamespace.clear();
    else byNamespace.delete(namespace);
  };
  barrier.onLock(() => changed());

  const policiesOf = (namespace: string): ReadonlyMap<string, StoredPolicy> => {
    let policies = byNamespace.get(namespace);
    if (policies === undefined) {
      const rows = store.all(
        build.selectFrom('policy').selectAll().where('namespace', '=', namespace).orderBy('name').compile(),
      );
      policies = new Map(
        rows.map(({ name, sealed }) => {
          const text = barrier.open(sealed, places.policy(namespace, name)).toString('utf8');
          return [name, { ...parsePolicy(name, text), text }];
        }),
      );
      byNamespace.set(namespace, policies);
    }
    return policies;
  };
  const rowOf = (namespace: string, name: string, text: string) => ({
    namespace,
    name,
    sealed: barrier.seal(text, places.policy(namespace, name)),
  });

  return {
    /** Counts changes. Compiled policies are valid while the number stays the same. */
    get generation() {
      return generation;
    },
    /** Clears the cache after the store was changed by other code. */
    forget: (): void => changed(),
    get: (namespace: string, name: string): StoredPolicy | undefined => policiesOf(namespace).get(name),
    /** In alphabetical order. */
    names: (namespace: string): string[] => [...policiesOf(namespace).keys()],
    /** @throws PolicyFault if the text is invalid */
    async set(namespace: string, name: string, text: string): Promise<void> {
      parsePolicy(name, text);
      const row = rowOf(namespace, name, text);
      await store.write((tx) => {
        changed(namespace);
        tx.run(
          build
            .insertInto('policy')
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(['namespace', 'name']).doUpdateSet({ sealed: row.sealed }),
            )
            .compile(),
        );
      });
    },
    async remove(namespace: string, name: string): Promise<void> {
      await store.write((tx) => {
        changed(namespace);
        tx.run(
          build.deleteFrom('policy').where('namespace', '=', namespace).where('name', '=', name).compile(),
        );
      });
    },
    removeOfNamespace(tx: SecretsWriter, namespace: string): void {
      changed(namespace);
      tx.run(build.deleteFrom('policy').where('namespace', '=', namespace).compile());
    },
    /** Creates the initial policies of a namespace that has no policies. */
    async ensureInitial(namespace: string): Promise<void> {
      if (policiesOf(namespace).size > 0) return;
      // People sign in to the root namespace, so only that has the policies of their roles.
      const texts = Object.entries(initialPolicies).filter(
        ([name]) => namespace === '' || name === defaultPolicyName,
      );
      const rows = texts.map(([name, text]) => rowOf(namespace, name, text));
      await store.write((tx) => {
        changed(namespace);
        tx.run(
          build
            .insertInto('policy')
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        );
      });
    },
  };
}
