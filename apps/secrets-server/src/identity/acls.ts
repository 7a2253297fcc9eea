import { LRUCache } from 'lru-cache';
import type { TokenEntry } from '../core/identity.ts';
import { Refusal } from '../core/refusal.ts';
import { compileAcl } from '../domain/policy/acl.ts';
import type { Acl } from '../domain/policy/acl.ts';
import { PolicyFault } from '../domain/policy/policy-fault.ts';
import { rootPolicyName } from '../domain/policy/policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
import type { PolicyStore } from '../store/policies.ts';

/** The compiled policies of callers. Each set of policies is compiled once and cached until a policy changes. */
export type Acls = ReturnType<typeof aclsOf>;

/**
 * The maximum size of the texts of the compiled sets in the cache, in characters. A set takes about ten times that; the
 * worst forty times.
 */
const cacheSize = 8 * 1024 * 1024;

/** The maximum size of a token's policies together, in characters, and in words and symbols. Any two policies fit. */
const mostCharacters = 512 * 1024;
const mostSymbols = 100_000;

/** The words and symbols of policies that are parsed in one go, unless one has more: about 5 ms of work. */
const symbolsInOneGo = 5_000;

const rootAcl = compileAcl([{ policy: { name: rootPolicyName, rules: [], symbols: 0 }, namespace: '' }]);

export function aclsOf(policies: Pick<PolicyStore, 'generation' | 'get'>) {
  const compiled = new LRUCache<string, Acl>({ maxSize: cacheSize });
  let generation = policies.generation;

  /** Compiles a caller's policies into the cache, in parts. @throws Refusal 403 */
  function* compile({ namespace, policies: names }: Callers): Generator<undefined, Acl> {
    const begun = policies.generation;
    const found: Policy[] = [];
    let characters = 0;
    let symbols = 0;
    let parsedInOneGo = 0;
    for (const name of names) {
      const policy = policies.get(namespace, name);
      if (policy === undefined) continue;
      characters += policy.text.length;
      if (characters <= mostCharacters) {
        const parsed = parsedOf(name, policy.parsed);
        symbols += parsed.symbols;
        parsedInOneGo += parsed.symbols;
        found.push(parsed);
      }
      // Nothing beyond the limit is parsed or kept.
      if (characters > mostCharacters || symbols > mostSymbols)
        throw new Refusal(403, [
          `the token's policies are too large: together they can have ${mostCharacters} characters, and ${mostSymbols} words and symbols`,
        ]);
      if (parsedInOneGo >= symbolsInOneGo) {
        yield;
        parsedInOneGo = 0;
      }
    }
    const acl = compileAcl(found.map((policy) => ({ policy, namespace })));
    const key = keyOf({ namespace, policies: names });
    // A policy may have changed between the parts.
    if (policies.generation === begun) compiled.set(key, acl, { size: characters + key.length + 1024 });
    return acl;
  }

  const find = (caller: Callers): Acl | undefined => {
    if (policies.generation !== generation) {
      compiled.clear();
      generation = policies.generation;
    }
    // The others don't matter, whatever their size.
    if (caller.namespace === '' && caller.policies.includes(rootPolicyName)) return rootAcl;
    return compiled.get(keyOf(caller));
  };

  return {
    /**
     * Compiles policies in slices, so that `of` finds them compiled: within a write, nothing can give way.
     * @throws Refusal like `of`
     */
    async prepare(caller: Callers, giveWay: () => Promise<void>): Promise<void> {
      if (find(caller) !== undefined) return;
      const parts = compile(caller);
      while (parts.next().done !== true) await giveWay();
    },

    /** @throws Refusal 403 if the policies exceed the limits: they may have grown since the token was created */
    of(caller: Callers): Acl {
      const known = find(caller);
      if (known !== undefined) return known;
      const parts = compile(caller);
      for (;;) {
        const part = parts.next();
        if (part.done === true) return part.value;
      }
    },
  };
}

const keyOf = ({ namespace, policies }: Callers): string => JSON.stringify([namespace, policies]);

type Callers = Pick<TokenEntry, 'namespace' | 'policies'>;

function parsedOf(name: string, parse: () => Policy): Policy {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    throw new Refusal(403, [`the token's policy ${JSON.stringify(name)} can't be used: ${error.message}`]);
  }
}
