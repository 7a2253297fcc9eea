import type { Answer, Backend, Request } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { badRequest, Refusal } from '../../core/refusal.ts';
import { backendOf } from '../../core/routes.ts';
import { policyOfRole } from '../../domain/policy/initial-policies.ts';
import { tokenPolicies } from '../../domain/token/token.ts';
import type { TokenLifetime } from '../../domain/token/token.ts';
import type { Identity } from '../../identity/identity.ts';
import { wireAuth } from '../token/wire.ts';

/** A sign-in lasts a day, and at most 32 days (`systemTtl`) if it is renewed in time. */
const lifetime: TokenLifetime = { ttl: 24 * 3600, explicitMaxTtl: 0, period: 0, renewable: true };

/** The auth method of people, who sign in with the accounts that the embedded services share. */
export function userpassBackend(identity: Identity): Backend {
  return backendOf([
    {
      path: 'login/:user',
      fields: ['password'],
      withoutToken: true,
      // Accounts belong to the whole server; policies of the root namespace also apply to paths in other namespaces.
      rootNamespaceOnly: true,
      operations: { update: (request, { user = '' }) => signIn(identity, request, user) },
    },
  ]);
}

async function signIn(identity: Identity, request: Request, user: string): Promise<Answer> {
  const { body, now, address } = request;
  const password = textField(body, 'password') ?? '';
  if (password === '') throw badRequest('missing password');
  const account = await identity.accounts.verifyPassword(user, password, address);
  if (account === undefined) throw badRequest('invalid username or password');
  const role = account.roles.secrets;
  if (role === null) throw new Refusal(403, ['permission denied: the account has no role in this server']);
  const { record, text } = await identity.tokens.issue(
    {
      parent: null,
      namespace: '',
      path: `auth/userpass/login/${account.loginName}`,
      policies: tokenPolicies([policyOfRole[role]], true),
      meta: { username: account.loginName },
      displayName: `userpass-${account.loginName}`,
      lifetime,
      numUses: 0,
      expireTime: now + lifetime.ttl * 1000,
      person: { accountId: account.id, passwordVersion: account.passwordVersion, role },
    },
    now,
  );
  return { auth: wireAuth(record, text, lifetime.ttl) };
}
