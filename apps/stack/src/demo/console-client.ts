import { endpoints } from '@gatehouse/api-types/console/endpoints';
import { consoleHeader } from '@gatehouse/api-types/contract';
import type {
  BodyInputOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '@gatehouse/api-types/contract';

type Needs<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };

/** The arguments of an operation's call. */
export type Asked<E extends EndpointDefinition> = Needs<'params', ParamsOf<E>> &
  Needs<'query', QueryOf<E>> &
  Needs<'body', BodyInputOf<E>> &
  (E extends { guarded: true } ? { readonly revision: string } : { readonly revision?: undefined });

/** The arguments of any operation's call. */
interface AnyAsked {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly revision?: string | undefined;
}

/** A refused call of the console. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  /** The problem's code, such as `forbidden`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A user and the machine that the user works on. */
export interface Visitor {
  readonly environment: string;
  readonly loginName: string;
  readonly password: string;
  /** The machine's address, which a trusted proxy on loopback reports. */
  readonly address: string;
}

/** A signed-in user at the console. */
export interface ConsoleClient {
  /** @throws ConsoleRefusal */
  call<E extends EndpointDefinition>(endpoint: E, asked: Asked<E>): Promise<ResponseOf<E>>;
  signOut(): Promise<void>;
}

/**
 * Signs in a user at a console that trusts loopback as a proxy.
 * @param origin where the console listens
 * @throws ConsoleRefusal `sign-in-failed` for a wrong password
 */
export async function signInAtConsole(origin: string, visitor: Visitor): Promise<ConsoleClient> {
  let cookie = '';
  const send = async (
    endpoint: EndpointDefinition,
    { params, query, body, revision }: AnyAsked,
  ): Promise<unknown> => {
    const response = await fetch(`${origin}${pathOf(endpoint, params)}${queryOf(query)}`, {
      method: endpoint.method,
      headers: {
        [consoleHeader.name]: consoleHeader.value,
        origin,
        'x-forwarded-for': visitor.address,
        'x-forwarded-proto': 'https',
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(revision !== undefined && { 'if-match': `"${revision}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw refusalOf(`${endpoint.method} ${endpoint.path}`, response.status, text);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return text === '' ? undefined : JSON.parse(text);
  };
  const call = async <E extends EndpointDefinition>(endpoint: E, asked: Asked<E>): Promise<ResponseOf<E>> =>
    // The console's own tests check its answers against the contract.
    (await send(endpoint, asked)) as ResponseOf<E>;
  const { environment, loginName, password } = visitor;
  await call(endpoints.session.signIn, {
    body: {
      environment,
      service: 'access',
      credentials: { method: 'password', login_name: loginName, password },
    },
  });
  return {
    call,
    signOut: () => call(endpoints.session.signOut, { query: {} }),
  };
}

function pathOf({ path }: EndpointDefinition, params: unknown): string {
  const values = new Map(fieldsOf(params));
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function queryOf(query: unknown): string {
  const fields = fieldsOf(query).map(([name, value]) => [name, String(value)]);
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields).toString()}`;
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function refusalOf(request: string, status: number, text: string): ConsoleRefusal {
  const code = /"code":"([\w-]+)"/.exec(text)?.[1] ?? String(status);
  return new ConsoleRefusal(code, `${request} returned ${status}: ${text}`);
}
