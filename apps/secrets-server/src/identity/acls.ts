import type { TokenEntry } from '../core/identity.ts';
import { compileAcl } from '../domain/policy/acl.ts';
import type { Acl } from '../domain/policy/acl.ts';
import { rootPolicyName } from '../domain/policy/policy.ts';
import type { PolicyStore } from '../store/policies.ts';

/** The compiled policies of callers. Each set of policies is compiled once and cached until a policy changes. */
export type Acls = ReturnType<typeof aclsOf>;

/** The maximum number of compiled sets in the cache. */
const cacheSize = 1000;

export function aclsOf(policies: PolicyStore) {
  const compiled = new Map<string, Acl>();
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
        const found = names.map((name) =>
          name === rootPolicyName ? { name, rules: [] } : policies.get(namespace, name),
        );
        acl = compileAcl(
          found.filter((policy) => policy !== undefined).map((policy) => ({ policy, namespace })),
        );
        if (compiled.size >= cacheSize) compiled.clear();
        compiled.set(key, acl);
      }
      byCaller.set(caller, acl);
      return acl;
    },
  };
}
