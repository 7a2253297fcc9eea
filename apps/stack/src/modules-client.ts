/** JSON in the module registry's wire form. */
export interface Wire {
  readonly [name: string]: unknown;
}

/**
 * A small client of the module registry's API, with or without a token. Paths begin with a slash, and are encoded by
 * the caller.
 */
export interface ModulesClient {
  read(path: string): Promise<Wire>;
  post(path: string, body: Wire): Promise<Wire>;
  put(path: string, body: Wire): Promise<Wire>;
  /** Publishes an archive. @param version `namespace/name/provider/version`, and a query */
  publish(version: string, archive: Uint8Array): Promise<Wire>;
  /** Downloads an archive like Terraform. @param version `namespace/name/provider/version` */
  fetchArchive(version: string): Promise<Uint8Array>;
}

/**
 * Signs in with a password.
 * @param origin where the module registry listens
 * @param description the token's description, which names the consumer
 * @throws Error naming the request and the answer if a request is refused
 */
export async function signInToModules(
  origin: string,
  loginName: string,
  password: string,
  description = '',
): Promise<ModulesClient> {
  const body = { username: loginName, password, description };
  const { token } = await modulesClient(origin, undefined).post('/v1/tokens', body);
  if (typeof token !== 'string') throw new Error('the module registry returned no token');
  return modulesClient(origin, token);
}

/** A client with a token, or without one. */
export function modulesClient(origin: string, token: string | undefined): ModulesClient {
  const ask = async (method: string, path: string, body?: BodyInit, type?: string): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    });
    if (response.status < 300) return response;
    throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  };
  const must = async (...request: Parameters<typeof ask>): Promise<Wire> => {
    const text = await (await ask(...request)).text();
    const answer: unknown = text === '' ? {} : JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as Wire) : {};
  };
  return {
    read: (path) => must('GET', path),
    post: (path, body) => must('POST', path, JSON.stringify(body), 'application/json'),
    put: (path, body) => must('PUT', path, JSON.stringify(body), 'application/json'),
    publish: (version, archive) =>
      must('PUT', `/v1/modules/${version}`, Buffer.from(archive), 'application/gzip'),
    async fetchArchive(version) {
      const path = `/v1/modules/${version}/download`;
      const { headers } = await ask('GET', path);
      const location = headers.get('x-terraform-get');
      if (location === null) throw new Error(`${path} returned no x-terraform-get header`);
      const answer = await fetch(new URL(location, `${origin}${path}`));
      if (!answer.ok) throw new Error(`${location} returned ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}
