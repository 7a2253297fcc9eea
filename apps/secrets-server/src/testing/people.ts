import type { Role } from '@gatehouse/service-kit/accounts';
import type { Client, Wire, WireAnswer } from './client.ts';
import { testPassword } from './server.ts';
import type { TestServer } from './server.ts';

/** Signs in a person with the role; null is an account without a role. */
export async function as(server: TestServer, role: Role): Promise<Client> {
  return server.with(tokenOf(await signIn(server, role === 'administrator' ? 'admin' : role)));
}

export function signIn(
  server: TestServer,
  user: string,
  password: string = testPassword,
): Promise<WireAnswer> {
  return server.anonymous.write(`auth/userpass/login/${encodeURIComponent(user)}`, { password });
}

/** Creates a token with policies or other options. @throws Error if it is refused */
export async function tokenWith(creator: Client, body: Wire, path = 'auth/token/create'): Promise<string> {
  return tokenOf(await creator.write(path, body));
}

export function authOf(answer: WireAnswer): Wire {
  const { auth } = answer.body;
  if (typeof auth !== 'object' || auth === null) throw new Error(`no auth in ${answer.text}`);
  return auth as Wire;
}

export function tokenOf(answer: WireAnswer): string {
  const token = authOf(answer)['client_token'];
  if (typeof token !== 'string') throw new Error(`no token in ${answer.text}`);
  return token;
}

export function errorsOf(answer: WireAnswer): unknown {
  return answer.body['errors'];
}
