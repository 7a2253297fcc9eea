import type { Role } from '@gatehouse/service-kit/accounts';
import type { Client, Wire, WireAnswer } from './client.ts';
import { testPassword } from './server.ts';
import type { TestServer } from './server.ts';

/** Signs a person of the role in; null has an account without any role. */
export async function as(server: TestServer, role: Role): Promise<Client> {
  return server.with(tokenOf(await signIn(server, role === 'administrator' ? 'admin' : role)));
}

/** Asks for a sign-in. */
export function signIn(
  server: TestServer,
  user: string,
  password: string = testPassword,
): Promise<WireAnswer> {
  return server.anonymous.write(`auth/userpass/login/${encodeURIComponent(user)}`, { password });
}

/** A token with policies, or with whatever else is asked for. @throws Error when it is refused */
export async function tokenWith(creator: Client, body: Wire, path = 'auth/token/create'): Promise<string> {
  return tokenOf(await creator.write(path, body));
}

/** The `auth` of an answer. */
export function authOf(answer: WireAnswer): Wire {
  const { auth } = answer.body;
  if (typeof auth !== 'object' || auth === null) throw new Error(`no auth in ${answer.text}`);
  return auth as Wire;
}

/** The token that an answer issues. */
export function tokenOf(answer: WireAnswer): string {
  const token = authOf(answer)['client_token'];
  if (typeof token !== 'string') throw new Error(`no token in ${answer.text}`);
  return token;
}

/** The `errors` of an answer. */
export function errorsOf(answer: WireAnswer): unknown {
  return answer.body['errors'];
}
