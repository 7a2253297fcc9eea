import type { Person } from '@gatehouse/api-types/console/people';
import { account, authToken, user } from '@gatehouse/api-types/services/access-controller';
import { buildPath } from '../path.ts';
import { plainBodies } from './bodies.ts';
import type { AccessCaller } from './client.ts';
import { collection } from './collection.ts';
import { commonFieldsOf } from './record-wire.ts';

/** /v1/users, all in the global scope. */
export const people = collection({
  kind: 'person',
  container: 'scope_id',
  uniqueField: 'login_name',
  path: 'users',
  wire: user,
  itemOf: (from): Person => {
    const { scope: _scope, type: _type, name, description: _description, ...common } = commonFieldsOf(from);
    const { roles } = from;
    return {
      ...common,
      login_name: from.login_name || name,
      full_name: from.full_name,
      email: from.email,
      disabled: from.disabled,
      roles:
        roles === null || roles === undefined
          ? null
          : {
              access: roles.access ?? null,
              secrets: roles.secrets ?? null,
              boxes: roles.boxes ?? null,
              modules: roles.modules ?? null,
            },
    };
  },
  ...plainBodies<'people'>({ scope_id: 'global' }),
});

/** A password account, with the version that an update must send. */
export interface PasswordAccount {
  readonly id: string;
  readonly version: number;
  readonly authorized_actions: readonly string[];
}

/** Reads an account by its ID. @throws ServiceError */
export async function getAccount(caller: AccessCaller, id: string): Promise<PasswordAccount> {
  const path = buildPath(`${caller.transport.prefix}/v1/accounts`, [id]);
  return await caller.transport.parse(account, await caller.send({ method: 'GET', path }));
}

/** The account that a user signs in with; undefined if the user has none. @throws ServiceError */
export async function accountOfPerson(
  caller: AccessCaller,
  userId: string,
): Promise<PasswordAccount | undefined> {
  const path = buildPath(`${caller.transport.prefix}/v1/users`, [userId]);
  const found = await caller.transport.parse(user, await caller.send({ method: 'GET', path }));
  const id = found.primary_account_id || found.account_ids[0];
  return id === undefined ? undefined : getAccount(caller, id);
}

/** The ID of the account that a token was issued to. @throws ServiceError */
export async function accountOfToken(caller: AccessCaller, tokenId: string): Promise<string> {
  const path = buildPath(`${caller.transport.prefix}/v1/auth-tokens`, [tokenId]);
  return (await caller.transport.parse(authToken, await caller.send({ method: 'GET', path }))).account_id;
}

/** Sets an account's password, as an administrator. @throws ServiceError with status 404 for a stale version */
export async function setPassword(
  caller: AccessCaller,
  { id, version }: PasswordAccount,
  password: string,
): Promise<void> {
  const path = buildPath(`${caller.transport.prefix}/v1/accounts`, [id], { action: 'set-password' });
  await caller.send({ method: 'POST', path, body: { version, password } });
}

/** Changes the caller's own password. @throws ServiceError with status 400 or 401 if the current password is wrong */
export async function changePassword(
  caller: AccessCaller,
  { id, version }: PasswordAccount,
  passwords: { readonly current_password: string; readonly new_password: string },
): Promise<void> {
  const path = buildPath(`${caller.transport.prefix}/v1/accounts`, [id], { action: 'change-password' });
  await caller.send({ method: 'POST', path, body: { version, ...passwords } });
}
