import { LRUCache } from 'lru-cache';
import type { TokenEntry } from '../core/identity.ts';
import { Refusal } from '../core/refusal.ts';
import { compileAcl, compileAclInParts, inOneGo } from '../domain/policy/acl.ts';
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

/** The maximum size of policies that a write has time to compile, in characters: about 5 ms of work. */
const charactersInWrite = 8 * 1024;

/** How often policies are compiled that change before the end. */
const mostAttempts = 5;

export function aclsOf(policies: Pick<PolicyStore, 'generation' | 'get'>) {
  const compiled = new LRUCache<string, { readonly acl: Acl; readonly generation: number }>({
    maxSize: cacheSize,
  });

  /** Compiles a caller's policies into the cache, in parts. @throws Refusal 403 */
  function* compile({ namespace, policies: names }: Callers): Generator<undefined, Acl> {
    const generation = policies.generation(namespace);
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
    const acl = yield* compileAclInParts(found.map((policy) => ({ policy, namespace })));
    const key = keyOf({ namespace, policies: names });
    // A policy may have changed between the parts.
    if (policies.generation(namespace) === generation)
      compiled.set(key, { acl, generation }, { size: characters + key.length + 1024 });
    return acl;
  }

  const find = (caller: Callers): Acl | undefined => {
    // The others don't matter, whatever their size.
    if (caller.namespace === '' && caller.policies.includes(rootPolicyName)) return rootAcl;
    const known = compiled.get(keyOf(caller));
    return known?.generation === policies.generation(caller.namespace) ? known.acl : undefined;
  };
  const areSmall = ({ namespace, policies: names }: Callers): boolean => {
    let characters = 0;
    return names.every((name) => {
      characters += policies.get(namespace, name)?.text.length ?? 0;
      return characters <= charactersInWrite;
    });
  };

  return {
    /**
     * Compiles policies in slices, so that `of` finds them compiled: within a write, nothing can give way.
     * @throws Refusal like `of`, and 503 if they change again and again
     */
    async prepare(caller: Callers, giveWay: () => Promise<void>): Promise<void> {
      for (let left = mostAttempts; find(caller) === undefined; left -= 1) {
        if (left === 0) throw policiesChange();
        const parts = compile(caller);
        while (parts.next().done !== true) await giveWay();
      }
    },

    /** Whether `of` takes no longer than a write may: the policies are compiled, or small. */
    isPrepared: (caller: Callers): boolean => find(caller) !== undefined || areSmall(caller),

    /** @throws Refusal 403 if the policies exceed the limits: they may have grown since the token was created */
    of(caller: Callers): Acl {
      return find(caller) ?? inOneGo(compile(caller));
    },
  };
}

/** 503 for a request whose token's policies others keep changing. */
export function policiesChange(): Refusal {
  return new Refusal(
    503,
    [
      "the token's policies changed again each time that they were read for this request. Nothing was changed. Send it again.",
    ],
    { 'Retry-After': '1' },
  );
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
