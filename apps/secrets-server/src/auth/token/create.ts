import type { Answer, Request, Route } from '../../core/backend.ts';
import {
  booleanField,
  checkPairs,
  durationField,
  integerField,
  mapField,
  textField,
  textListField,
} from '../../core/fields.ts';
import { Refusal, badRequest, permissionDenied } from '../../core/refusal.ts';
import { rootPolicyName } from '../../domain/policy/policy.ts';
import { grantTime, isToken, tokenPolicies } from '../../domain/token/token.ts';
import type { Token, TokenLifetime } from '../../domain/token/token.ts';
import type { Identity } from '../../identity/identity.ts';
import { wireAuth } from './wire.ts';

const fields = [
  'id',
  'policies',
  'meta',
  'no_parent',
  'no_default_policy',
  'lease',
  'ttl',
  'renewable',
  'explicit_max_ttl',
  'display_name',
  'num_uses',
  'period',
  'type',
  'entity_alias',
];

/** The limits of a token's record, of which thousands are cached. */
const mostPolicies = 256;
const longestPolicies = 64 * 1024;
const longestDisplayName = 256;

export function createRoutes(identity: Identity): Route[] {
  return [
    {
      path: 'create',
      fields,
      operations: { update: (request) => create(identity, request, false) },
    },
    {
      path: 'create-orphan',
      fields,
      operations: { update: (request) => create(identity, request, true) },
    },
  ];
}

async function create(identity: Identity, request: Request, orphan: boolean): Promise<Answer> {
  const { caller, body, now, namespace } = request;
  if (!isToken(caller)) throw permissionDenied();
  // A child token's uses would not count against the caller's limit.
  if (caller.numUses !== 0) throw badRequest('restricted use token cannot generate child tokens');
  const sudo = hasSudo(identity, caller, request);
  if (caller.namespace !== namespace && !sudo) {
    throw badRequest('root or sudo privileges required to directly generate a token in a child namespace');
  }
  const type = textField(body, 'type') ?? '';
  if (type === 'batch') throw badRequest('batch tokens are not supported');
  if (type !== '' && type !== 'service') throw badRequest("invalid 'token_type' value");
  if ((textField(body, 'entity_alias') ?? '') !== '')
    throw badRequest("'entity_alias' is only allowed in combination with token role");

  const text = textField(body, 'id') ?? '';
  if (text !== '') {
    if (!sudo) throw badRequest('root or sudo privileges required to specify token id');
    if (namespace !== '') throw badRequest('token IDs can only be manually specified in the root namespace');
    if (!/^[\x21-\x7e]{1,256}$/.test(text))
      throw badRequest('the token ID must be printable and without spaces');
    if (text.startsWith('hvs.')) throw badRequest("custom token ID cannot have the 'hvs.' prefix");
  }
  const detached = orphan || booleanField(body, 'no_parent') === true;
  if (!orphan && detached && !sudo)
    throw badRequest('root or sudo privileges required to create orphan token');
  const numUses = integerField(body, 'num_uses') ?? 0;
  if (numUses < 0) throw badRequest('number of uses cannot be negative');
  const policies = policiesOf(caller, request, sudo);
  const isRoot = policies.includes(rootPolicyName);
  await checkSize(identity, { namespace, policies }, request.giveWay);
  const lifetime = lifetimeOf(request, isRoot, sudo);
  if (isRoot && caller.expireTime !== null && lifetime === undefined)
    throw badRequest('expiring root tokens cannot create non-expiring root tokens');
  const { ttl, warnings } =
    lifetime === undefined ? { ttl: 0, warnings: [] } : grantTime(lifetime, lifetime.ttl, now, now);

  const { record, text: token } = await identity.tokens.issue(
    {
      ...(text !== '' && { text }),
      parent: detached ? null : caller.hash,
      namespace,
      path: `auth/token/${orphan ? 'create-orphan' : 'create'}`,
      policies,
      meta: metaOf(request),
      displayName: displayNameOf(request),
      lifetime: { ...(lifetime ?? endless), ttl },
      numUses,
      expireTime: lifetime === undefined ? null : now + ttl * 1000,
      creator: caller,
      person: null,
    },
    now,
  );
  return {
    auth: wireAuth(record, token, ttl),
    warnings: [...warnings, ...unknownPolicies(identity, record)],
  };
}

const endless: TokenLifetime = { ttl: 0, explicitMaxTtl: 0, period: 0, renewable: false };

function hasSudo({ acls }: Identity, caller: Token, request: Request): boolean {
  return acls.of(caller).judge({ operation: 'update', path: request.namespace + request.fullPath }).sudo;
}

function policiesOf(caller: Token, { body, namespace }: Request, sudo: boolean): string[] {
  const asked = tokenPolicies(textListField(body, 'policies', longestPolicies) ?? [], false);
  if (asked.length > mostPolicies) throw badRequest(`a token has at most ${mostPolicies} policies`);
  const withDefault = booleanField(body, 'no_default_policy') !== true;
  /** Without the default policy too if it is named, as in Vault. */
  const granted = (names: readonly string[], addsDefault = withDefault): string[] =>
    tokenPolicies(names, addsDefault).filter((name) => withDefault || name !== 'default');
  if (asked.includes('response-wrapping')) throw badRequest('cannot assign policy "response-wrapping"');
  if (caller.namespace !== namespace) {
    if (asked.includes(rootPolicyName))
      throw badRequest('root tokens may not be created from a parent namespace');
    return granted(asked);
  }
  const own = caller.policies;
  const isRoot = own.includes(rootPolicyName);
  if (asked.length === 0) return granted(own, false);
  if (asked.includes(rootPolicyName) && !isRoot)
    throw badRequest('root tokens may not be created without parent token being root');
  if (sudo) return granted(asked);
  if (!asked.every((name) => own.includes(name))) throw badRequest('child policies must be subset of parent');
  return granted(asked, withDefault && own.includes('default'));
}

/** @throws Refusal 400 if a token with these policies couldn't be used */
async function checkSize(
  { acls }: Identity,
  token: Pick<Token, 'namespace' | 'policies'>,
  giveWay: () => Promise<void>,
): Promise<void> {
  try {
    await acls.prepare(token, giveWay);
  } catch (error) {
    throw error instanceof Refusal ? badRequest(error.message) : error;
  }
}

/** Reads the token's lifetime from the body; undefined for a root token that does not expire. */
function lifetimeOf({ body }: Request, isRoot: boolean, sudo: boolean): TokenLifetime | undefined {
  const ttl = durationField(body, 'ttl') ?? durationField(body, 'lease') ?? 0;
  const explicitMaxTtl = durationField(body, 'explicit_max_ttl') ?? 0;
  const period = durationField(body, 'period') ?? 0;
  if (ttl < 0) throw badRequest('ttl must be positive');
  if (explicitMaxTtl < 0) throw badRequest('explicit_max_ttl must be positive');
  if (period < 0) throw badRequest('period must be positive');
  if (period > 0 && !sudo) throw badRequest('root or sudo privileges required to create periodic token');
  if (isRoot && ttl === 0 && period === 0 && explicitMaxTtl === 0) return undefined;
  return { ttl, explicitMaxTtl, period, renewable: booleanField(body, 'renewable') ?? true };
}

function metaOf({ body }: Request): Readonly<Record<string, string>> | null {
  const meta = mapField(body, 'meta');
  if (meta === undefined) return null;
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(meta)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw badRequest('Error decoding request: "meta" must be a map of strings');
    texts.push([name, String(value)]);
  }
  checkPairs(texts, 'meta');
  return Object.fromEntries(texts);
}

function displayNameOf({ body }: Request): string {
  const name = textField(body, 'display_name', longestDisplayName) ?? '';
  return name === '' ? 'token' : `token-${name}`.replace(/[^a-zA-Z0-9-]/g, '-').replace(/-$/, '');
}

/** Warns about policies that do not exist: a policy may be written after its tokens, but the name may be a typo. */
function unknownPolicies({ policies }: Identity, { namespace, policies: names }: Token): string[] {
  return names
    .filter((name) => name !== rootPolicyName && policies.get(namespace, name) === undefined)
    .map((name) => `Policy "${name}" does not exist`);
}
