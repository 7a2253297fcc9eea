import { LRUCache } from 'lru-cache';
import type { TokenEntry } from '../core/identity.ts';
import { compileAcl } from '../domain/policy/acl.ts';
import type { Acl } from '../domain/policy/acl.ts';
import { rootPolicyName } from '../domain/policy/policy.ts';
import type { PolicyStore } from '../store/policies.ts';

/** The compiled policies of callers. Each set of policies is compiled once and cached until a policy changes. */
export type Acls = ReturnType<typeof aclsOf>;

/** The maximum size of the texts of the compiled sets in the cache, in characters. A set takes about ten times that. */
const cacheSize = 16 * 1024 * 1024;

export function aclsOf(policies: PolicyStore) {
  const compiled = new LRUCache<string, Acl>({ maxSize: cacheSize });
  let generation = policies.generation;

  return {
    of({ namespace, policies: names }: Pick<TokenEntry, 'namespace' | 'policies'>): Acl {
      if (policies.generation !== generation) {
        compiled.clear();
        generation = policies.generation;
      }
      const key = JSON.stringify([namespace, names]);
      let acl = compiled.get(key);
      if (acl === undefined) {
        const found = names
          .map((name) =>
            name === rootPolicyName ? { name, rules: [], text: '' } : policies.get(namespace, name),
          )
          .filter((policy) => policy !== undefined);
        acl = compileAcl(found.map((policy) => ({ policy, namespace })));
        const size = found.reduce((length, { text }) => length + text.length, key.length + 1024);
        // The largest set fills the cache.
        compiled.set(key, acl, { size: Math.min(size, cacheSize) });
      }
      return acl;
    },
  };
}
