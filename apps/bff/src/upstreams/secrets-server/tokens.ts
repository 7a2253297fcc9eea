/** Tokens of other users, by their accessors. */
import { foundToken, keys, type FoundToken } from '@gatehouse/api-types/services/secrets-server';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer } from '../transport.ts';
import type { SecretsCaller } from './client.ts';
import { askFor, type RefusalRule } from './refusals.ts';

const gone: RefusalRule = {
  says: /invalid accessor|accessor (?:is )?not found|bad token/i,
  code: 'not-found',
  means: 'This token has ended.',
};

const tokenPath = ({ transport }: SecretsCaller, action: string, query?: { readonly list: true }): string =>
  buildPath(`${transport.prefix}/v1/auth/token`, [action], query && { query });

/** The accessors of all tokens. Servers require `sudo`. @throws ServiceError */
export async function listAccessors(caller: SecretsCaller): Promise<readonly string[]> {
  const path = tokenPath(caller, 'accessors', { list: true });
  const answer = await askFor(caller, { method: 'GET', path });
  return answer === null ? [] : (await caller.transport.parse(keys, answer)).data.keys;
}

/** @returns null if the token has ended @throws ServiceError */
export async function lookUpAccessor(caller: SecretsCaller, accessor: string): Promise<FoundToken | null> {
  const answer = await askAbout(caller, 'lookup-accessor', accessor);
  return answer && (await caller.transport.parse(foundToken, answer)).data;
}

/** Revokes a token and its leases. A token that has ended counts as revoked. @throws ServiceError */
export async function revokeAccessor(caller: SecretsCaller, accessor: string): Promise<void> {
  await askAbout(caller, 'revoke-accessor', accessor);
}

async function askAbout(
  caller: SecretsCaller,
  action: string,
  accessor: string,
): Promise<ServiceAnswer | null> {
  const path = tokenPath(caller, action);
  try {
    return await askFor(caller, { method: 'POST', path, body: { accessor } }, [gone]);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
