import type { TokenEntry } from '../core/identity.ts';
import { sizedCache } from '../core/sized-cache.ts';
import { compileAcl } from '../domain/policy/acl.ts';
import type { Acl } from '../domain/policy/acl.ts';
import { rootPolicyName } from '../domain/policy/policy.ts';
import type { PolicyStore } from '../store/policies.ts';

/** The compiled policies of callers. Each set of policies is compiled once and cached until a policy changes. */
export type Acls = ReturnType<typeof aclsOf>;

/** The maximum size of the texts of the compiled sets in the cache, in characters. A set takes about ten times that. */
const cacheSize = 16 * 1024 * 1024;

export function aclsOf(policies: PolicyStore) {
  const compiled = sizedCache<Acl>(cacheSize);
  let byCaller = new WeakMap<object, Acl>();
  let generation = policies.generation;

  return {
    of(caller: Pick<TokenEntry, 'namespace' | 'policies'>): Acl {
      if (policies.generation !== generation) {
        compiled.clear();
        byCaller = new WeakMap();
        generation = policies.generation;
      }
      const known = byCaller.get(caller);
      if (known !== undefined) return known;
      const { namespace, policies: names } = caller;
      const key = JSON.stringify([namespace, names]);
      let acl = compiled.get(key);
      if (acl === undefined) {
        const found = names
          .map((name) =>
            name === rootPolicyName ? { name, rules: [], text: '' } : policies.get(namespace, name),
          )
          .filter((policy) => policy !== undefined);
        acl = compileAcl(found.map((policy) => ({ policy, namespace })));
        const size = found.reduce((length, { text }) => length + text.length, key.length);
        if (compiled.set(key, acl, size)) byCaller = new WeakMap();
      }
      byCaller.set(caller, acl);
      return acl;
    },
  };
}
