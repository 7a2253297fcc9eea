import { withParameters } from '@gatehouse/service-kit/store';
import { LRUCache } from 'lru-cache';
import { refuseMore } from '../core/refusal.ts';
import { initialPolicies } from '../domain/policy/initial-policies.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { defaultPolicyName } from '../domain/policy/policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';
import { places } from './places.ts';

/** A policy with its text. */
export interface StoredPolicy {
  readonly text: string;
  /** Parses the text once. @throws PolicyFault if it was stored before the limits of today */
  readonly parsed: () => Policy;
}

/**
 * The maximum size of the cached policies' texts, to which each adds 1,024, in characters. Parsed, they take ten times
 * that; the worst forty times.
 */
const cacheSize = 8 * 1024 * 1024;

/** The maximum number of policies in a namespace. */
const mostPolicies = 10_000;
/** Most namespaces whose changes are counted separately; beyond that, a change counts for all. */
const mostNamespaces = 10_000;

/** Policies by namespace and name. Those in use are cached, because every request needs them. */
export type PolicyStore = ReturnType<typeof policyStore>;

export function policyStore(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const cache = new LRUCache<string, StoredPolicy>({ maxSize: cacheSize });
  let changes = 0;
  /** The last change of all namespaces, and later ones of some. */
  let lastOfAll = 0;
  const lastOf = new Map<string, number>();
  /**
   * Called within the write that changes policies: nothing can fill the cache again before it ends.
   * @param name undefined for all of the namespace
   */
  const changed = (namespace?: string, name?: string): void => {
    changes += 1;
    if (namespace === undefined || lastOf.size >= mostNamespaces) {
      lastOf.clear();
      lastOfAll = changes;
      cache.clear();
      return;
    }
    lastOf.set(namespace, changes);
    const place = places.policy(namespace, name ?? '');
    if (name !== undefined) cache.delete(place);
    else for (const key of cache.keys()) if (key.startsWith(place)) cache.delete(key);
  };
  barrier.onLock(() => changed());

  const selectSealed = build
    .selectFrom('policy')
    .select('sealed')
    .where('namespace', '=', '')
    .where('name', '=', '')
    .compile();
  const selectNames = build
    .selectFrom('policy')
    .select('name')
    .where('namespace', '=', '')
    .where('name', '>=', '')
    .orderBy('name')
    .limit(0)
    .compile();
  const names = (namespace: string, from: string, limit: number): string[] =>
    store.all(withParameters(selectNames, namespace, from, limit)).map(({ name }) => name);
  const selectCount = build
    .selectFrom('policy')
    .select(({ fn }) => fn.countAll<number>().as('policies'))
    .where('namespace', '=', '')
    .compile();
  const rowOf = (namespace: string, name: string, text: string) => ({
    namespace,
    name,
    sealed: barrier.seal(text, places.policy(namespace, name)),
  });

  /** Creates those initial policies of a namespace that it doesn't have. */
  const addInitial = (tx: SecretsWriter, namespace: string): void => {
    // People sign in to the root namespace, so only that has the policies of their roles.
    const texts = Object.entries(initialPolicies).filter(
      ([name]) => namespace === '' || name === defaultPolicyName,
    );
    const rows = texts.map(([name, text]) => rowOf(namespace, name, text));
    changed(namespace);
    tx.run(
      build
        .insertInto('policy')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    );
  };
  return {
    /** Changes with a namespace's policies. Compiled ones are valid while the number stays the same. */
    generation: (namespace: string): number => lastOf.get(namespace) ?? lastOfAll,
    /** Clears the cache after a namespace's policies, or all, were changed by other code. */
    forget: (namespace?: string): void => changed(namespace),
    get(namespace: string, name: string): StoredPolicy | undefined {
      const place = places.policy(namespace, name);
      const known = cache.get(place);
      if (known !== undefined) return known;
      const row = store.get(withParameters(selectSealed, namespace, name));
      if (row === undefined) return undefined;
      const text = barrier.open(row.sealed, place).toString('utf8');
      let parsed: Policy | undefined;
      const policy = { text, parsed: () => (parsed ??= parsePolicy(name, text)) };
      cache.set(place, policy, { size: text.length + 1024 });
      return policy;
    },
    /** The first names from `from` on, in alphabetical order, at most as many as `limit`. */
    names,
    /** @throws PolicyFault if the text is invalid; Refusal 400 if the namespace has as many policies as it can have */
    async set(namespace: string, name: string, text: string): Promise<void> {
      parsePolicy(name, text);
      const row = rowOf(namespace, name, text);
      await store.write((tx) => {
        if (tx.get(withParameters(selectSealed, namespace, name)) === undefined) {
          const { policies = 0 } = tx.get(withParameters(selectCount, namespace)) ?? {};
          refuseMore(policies, mostPolicies, 'policies in one namespace');
        }
        changed(namespace, name);
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
        changed(namespace, name);
        tx.run(
          build.deleteFrom('policy').where('namespace', '=', namespace).where('name', '=', name).compile(),
        );
      });
    },
    removeOfNamespace(tx: SecretsWriter, namespace: string): void {
      changed(namespace);
      tx.run(build.deleteFrom('policy').where('namespace', '=', namespace).compile());
    },
    addInitial,
    /** Creates the initial policies of a namespace that has no policies. */
    async ensureInitial(namespace: string): Promise<void> {
      if (names(namespace, '', 1).length === 0) await store.write((tx) => addInitial(tx, namespace));
    },
  };
}
