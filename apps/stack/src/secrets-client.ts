/** JSON in the secrets server's wire form. */
export interface Wire {
  readonly [name: string]: unknown;
}

/** A small client of the secrets server's API, with a token. Paths are below `/v1/`. */
export interface SecretsClient {
  /** The `data` of an answer; empty if missing. */
  read(path: string): Promise<Wire>;
  /** The whole answer; empty if it has no body. */
  write(path: string, body: Wire): Promise<Wire>;
  remove(path: string): Promise<void>;
  /** Creates a token and returns it. */
  createToken(body: Wire): Promise<string>;
  /** A client of the same server with another token. */
  as(token: string): SecretsClient;
}

/**
 * Signs in with a password.
 * @param origin where the secrets server listens
 * @throws Error naming the request and the answer if a request is refused
 */
export async function signInToSecrets(
  origin: string,
  loginName: string,
  password: string,
): Promise<SecretsClient> {
  const path = `auth/userpass/login/${encodeURIComponent(loginName)}`;
  return secretsClient(origin, tokenOf(await ask(origin, 'POST', path, undefined, { password })));
}

/** A client with a token. */
export function secretsClient(origin: string, token: string): SecretsClient {
  return {
    async read(path) {
      const { data } = await ask(origin, 'GET', path, token);
      return isWire(data) ? data : {};
    },
    write: (path, body) => ask(origin, 'POST', path, token, body),
    async remove(path) {
      await ask(origin, 'DELETE', path, token);
    },
    as: (other) => secretsClient(origin, other),
    createToken: async (body) => tokenOf(await ask(origin, 'POST', 'auth/token/create', token, body)),
  };
}

async function ask(
  origin: string,
  method: string,
  path: string,
  token: string | undefined,
  body?: Wire,
): Promise<Wire> {
  const response = await fetch(`${origin}/v1/${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-vault-token': token }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  const answer: unknown = text === '' ? {} : JSON.parse(text);
  return isWire(answer) ? answer : {};
}

function tokenOf({ auth }: Wire): string {
  const token = isWire(auth) ? auth['client_token'] : undefined;
  if (typeof token !== 'string') throw new Error('the secrets server returned no token');
  return token;
}

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null;
}
