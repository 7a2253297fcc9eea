import type { AccountsOptions, AccountStore, Role } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, Service } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { addTestPeople, openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { createService } from '../app.ts';
import type { AccessControllerOptions } from '../app.ts';

export { testPassword } from '@gatehouse/service-kit/testing/test-accounts';

export interface Wire {
  readonly [name: string]: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the answer has no body. */
  readonly body: Wire;
}

/** Sends requests as one user, or without a token. */
export interface Client {
  readonly token: string | undefined;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** A controller under test, with its own port and folder. */
export interface TestController extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly service: Service;
  readonly clock: TestClock;
  /** A client that hasn't signed in. */
  readonly anonymous: Client;
  /** Signs in a user with the role; null is a user without any role. */
  as(role: Role | null): Promise<Client>;
}

/** Starts a controller with an administrator, an operator, a reader and a user without a role. */
export async function startController({
  guesses,
  ...options
}: Partial<AccessControllerOptions> & Pick<AccountsOptions, 'guesses'> = {}): Promise<TestController> {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock, guesses);
  await addTestPeople(accounts, 'access');
  const service = await createService({ dataDir: folder.path, accounts, clock, ...options });
  const server = await listen(service, { host: '127.0.0.1', port: 0 });
  return {
    url: server.address,
    dataDir: folder.path,
    accounts,
    service,
    clock,
    anonymous: clientOf(server, undefined),
    as: (role) => signIn(server, role === 'administrator' ? 'admin' : (role ?? 'nobody')),
    async [Symbol.asyncDispose]() {
      await server.drain(0);
      await service.close();
      await accounts.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Signs in a user. */
export async function signIn(server: Pick<Listening, 'address'>, loginName: string): Promise<Client> {
  const answer = await clientOf(server, undefined).post('/v1/auth-methods/ampw_1234567890:authenticate', {
    command: 'login',
    attributes: { login_name: loginName, password: testPassword },
  });
  const attributes = answer.body['attributes'];
  if (
    typeof attributes === 'object' &&
    attributes !== null &&
    'token' in attributes &&
    typeof attributes.token === 'string'
  ) {
    return clientOf(server, attributes.token);
  }
  throw new Error(`cannot sign in as ${loginName}: ${answer.status}`);
}

/** A client with `token`, valid or not. */
export function clientOf(server: Pick<Listening, 'address'>, token: string | undefined): Client {
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = new Headers();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const response = await fetch(server.address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Wire),
    };
  };
  return {
    token,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  };
}

/** The items of a list answer. */
export function itemsOf(answer: Answer): Wire[] {
  const items = answer.body['items'];
  if (!Array.isArray(items)) throw new Error(`no items in ${JSON.stringify(answer.body)}`);
  return items as Wire[];
}

/** A text member of an answer, such as an ID. */
export function textOf(body: Wire, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text`);
  return value;
}

/** The names of the fields with faults in an error answer. */
export function blamedFields(answer: Answer): string[] {
  const { details } = answer.body as { details?: { request_fields?: { name: string }[] } };
  return (details?.request_fields ?? []).map((field) => field.name);
}
