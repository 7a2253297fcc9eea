/** A request body in the access controller's wire form. */
type Body = Readonly<Record<string, unknown>>;

type Collection =
  | 'scopes'
  | 'targets'
  | 'host-catalogs'
  | 'host-sets'
  | 'hosts'
  | 'credential-stores'
  | 'credentials'
  | 'credential-libraries';

/** An item in the access controller's answers. */
export interface Item {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly address: string;
  /** The IDs of a target's sources and of a set's hosts, by field name. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

/** A small client of the access controller's API, signed in as one user. */
export type AccessClient = Awaited<ReturnType<typeof signIn>>;

/**
 * Signs in with a password.
 * @param origin where the access controller listens
 * @throws Error naming the request and the answer if a request is refused
 */
export async function signIn(origin: string, loginName: string, password: string) {
  const signedIn = await ask(origin, 'POST', '/v1/auth-methods/ampw_1234567890:authenticate', undefined, {
    command: 'login',
    type: 'token',
    attributes: { login_name: loginName, password },
  });
  const token = textAt(signedIn, 'attributes', 'token');
  const item = async (method: string, path: string, body?: Body) =>
    toItem(await ask(origin, method, path, token, body));
  return {
    create: (collection: Collection, body: Body): Promise<Item> => item('POST', `/v1/${collection}`, body),
    /** @param version the last one seen */
    update: (collection: Collection, id: string, version: number, body: Body): Promise<Item> =>
      item('PATCH', `/v1/${collection}/${id}`, { ...body, version }),
    /** Runs an action on an item, for example `set-hosts`. @param version the last one seen */
    act: (collection: Collection, id: string, action: string, version: number, body: Body): Promise<Item> =>
      item('POST', `/v1/${collection}/${id}:${action}`, { ...body, version }),
    read: (collection: Collection, id: string): Promise<Item> => item('GET', `/v1/${collection}/${id}`),
    async remove(collection: Collection, id: string): Promise<void> {
      await ask(origin, 'DELETE', `/v1/${collection}/${id}`, token);
    },
  };
}

async function ask(
  origin: string,
  method: string,
  path: string,
  token: string | undefined,
  body?: Body,
): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

function toItem(answer: unknown): Item {
  const version = valueAt(answer, 'version');
  return {
    id: textAt(answer, 'id'),
    version: typeof version === 'number' ? version : 0,
    name: textAt(answer, 'name'),
    description: textAt(answer, 'description'),
    address: textAt(answer, 'address'),
    members: membersOf(answer),
  };
}

function membersOf(answer: unknown): Item['members'] {
  const found: Record<string, readonly string[]> = {};
  for (const [field, value] of Object.entries(typeof answer === 'object' && answer !== null ? answer : {})) {
    if (!field.endsWith('_ids') || !Array.isArray(value)) continue;
    found[field] = value.filter((id): id is string => typeof id === 'string');
  }
  return found;
}

/** Boundary omits empty texts. */
function textAt(value: unknown, ...path: readonly string[]): string {
  const text = valueAt(value, ...path);
  return typeof text === 'string' ? text : '';
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}
