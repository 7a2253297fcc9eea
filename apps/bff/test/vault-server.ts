/**
 * The wire differences of real servers (Vault, OpenBao, and older ones), which the embedded one doesn't have: empty
 * values are null or left out, there are no subkeys, lists have no pages, a standby redirects, a token may lack the
 * right to read its capabilities, numbers are read as doubles. It keeps versions of `secret/`, and values without
 * versions at `old/`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@gatehouse/service-kit/service';

/** A request as the server received it. */
export interface VaultRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface VaultServer {
  readonly url: string;
  readonly seen: VaultRequest[];
  /** JSON texts of the versions of each path. */
  readonly secrets: Map<string, string[]>;
  /** JSON texts of the engine without versions, by path. */
  readonly plain: Map<string, string>;
  /** Whether an empty folder is answered without `keys` and with a warning, instead of with 404. */
  listsEmpty: boolean;
  /** Whether numbers are read as doubles, like in servers written in Go. */
  readsDoubles: boolean;
  /** Deleted versions, as `path@version`. */
  readonly deleted: Set<string>;
  /** Runs before a request is answered, like a change by others. The answer waits for it. */
  before: ((request: VaultRequest) => unknown) | undefined;
  state: 'active' | 'standby that redirects' | 'standby without an active one' | 'sealed';
  /** Whether health has the status of old servers, whatever is requested. */
  oldHealth: boolean;
  /** Whether the token may read its capabilities. */
  tellsRights: boolean;
  /** Paths that the token may not use. */
  readonly denied: Set<string>;
  /** Answers paths outside the secrets: status and body; undefined for unknown ones. */
  engine: ((request: VaultRequest) => readonly [status: number, body: unknown] | undefined) | undefined;
  /** Paths that are answered without a token. */
  readonly openPaths: Set<string>;
  /** The server's edition in health. */
  edition: { readonly version?: string; readonly enterprise?: boolean };
  /** Whether the token is accepted. */
  tokenLives: boolean;
  /** Whether the account `person` has a second factor, so that its password alone doesn't sign in. */
  secondFactor: boolean;
  /** The answered token of a sign-in, if it differs from the usual one. */
  issuedToken: string | undefined;
  close(): Promise<void>;
}

export const vaultToken = 'hvs.CAESIcanarytoken';
export const vaultPassword = 'correct-horse-battery-canary';

export async function vaultServer(): Promise<VaultServer> {
  const self: Omit<VaultServer, 'url' | 'close'> = {
    seen: [],
    secrets: new Map(),
    plain: new Map(),
    listsEmpty: false,
    readsDoubles: false,
    deleted: new Set(),
    before: undefined,
    state: 'active',
    oldHealth: false,
    tellsRights: true,
    denied: new Set(),
    engine: undefined,
    openPaths: new Set(),
    edition: {},
    tokenLives: true,
    secondFactor: false,
    issuedToken: undefined,
  };
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const request: VaultRequest = {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    };
    self.seen.push(request);
    await self.before?.(request);
    const [status, body, headers] = answerOf(self, request);
    res.writeHead(status, { ...(body !== '' && { 'content-type': 'application/json' }), ...headers });
    res.end(body);
  };
  const listening = await listen(
    (req, res) => {
      handle(req, res).catch(() => res.destroy());
    },
    { host: '127.0.0.1', port: 0 },
  );
  return Object.assign(self, { url: listening.address, close: () => listening.drain(0) });
}

type Answered = readonly [status: number, body: string, headers?: Record<string, string>];

const errors = (status: number, ...texts: string[]): Answered => [status, JSON.stringify({ errors: texts })];
const data = (value: unknown): Answered => [200, JSON.stringify({ data: value, warnings: null })];

function answerOf(self: Omit<VaultServer, 'url' | 'close'>, request: VaultRequest): Answered {
  const url = new URL(request.path, 'http://vault');
  const path = decodeURIComponent(url.pathname);
  if (path === '/v1/sys/health') {
    const isStandby = self.state.startsWith('standby');
    const body = JSON.stringify({
      initialized: true,
      sealed: self.state === 'sealed',
      standby: isStandby,
      ...self.edition,
    });
    if (self.state === 'sealed') return [503, body];
    const isTold = self.oldHealth || url.searchParams.get('standbyok') !== 'true';
    return [isStandby && isTold ? 429 : 200, body];
  }
  if (self.state === 'sealed') return errors(503, 'Vault is sealed');
  if (self.state === 'standby that redirects')
    return [307, '', { location: `http://active.invalid${request.path}` }];
  if (self.state === 'standby without an active one') return errors(503, 'no active node');
  if (path === '/v1/auth/userpass/login/person') {
    const { password } = JSON.parse(request.body) as { readonly password: string };
    if (password !== vaultPassword) return errors(400, 'invalid username or password');
    return [200, JSON.stringify(signedIn(self))];
  }
  if (self.openPaths.has(path)) {
    const told = self.engine?.(request);
    if (told !== undefined) return [told[0], JSON.stringify(told[1])];
  }
  if (!self.tokenLives || request.headers['x-vault-token'] !== vaultToken)
    return errors(403, 'permission denied');
  if (path === '/v1/auth/token/lookup-self') {
    return data({ display_name: 'token', ttl: 0, meta: null, entity_id: '' });
  }
  if (path === '/v1/sys/capabilities-self') {
    if (!self.tellsRights) return errors(403, 'permission denied');
    const { paths } = JSON.parse(request.body) as { readonly paths: string[] };
    return data(Object.fromEntries(paths.map((one) => [one, self.denied.has(one) ? ['deny'] : ['root']])));
  }
  const told = self.engine?.(request);
  if (told !== undefined) return [told[0], told[1] === null ? '' : JSON.stringify(told[1])];
  const asked = /^\/v1\/sys\/internal\/ui\/mounts\/(secret|old)$/.exec(path)?.[1];
  if (asked !== undefined) {
    return data({ type: 'kv', description: '', options: asked === 'old' ? null : { version: '2' } });
  }
  if (path === '/v1/sys/internal/ui/mounts') {
    return data({
      auth: {},
      secret: {
        'secret/': { type: 'kv', description: '', options: { version: '2' } },
        'old/': { type: 'kv', description: 'first', options: null },
        'cubbyhole/': { type: 'cubbyhole', description: '', options: null },
      },
    });
  }
  if (self.denied.has(path.slice('/v1/'.length)))
    return errors(403, '1 error occurred:\n\t* permission denied\n\n');
  if (path === '/v1/old' || path.startsWith('/v1/old/')) return plainValue(self, path, url.searchParams);
  if (!path.startsWith('/v1/secret/')) {
    const route = path.slice('/v1/'.length);
    return errors(404, `no handler for route "${route}". route entry not found.`);
  }
  return keyValue(self, request, path, url.searchParams);
}

function listOf(keys: readonly string[], { listsEmpty }: Pick<VaultServer, 'listsEmpty'>): Answered {
  if (keys.length > 0) return data({ keys });
  return listsEmpty ? [200, JSON.stringify({ data: {}, warnings: ['No keys were found.'] })] : errors(404);
}

function plainValue(
  self: Pick<VaultServer, 'plain' | 'listsEmpty'>,
  path: string,
  query: URLSearchParams,
): Answered {
  const name = path.slice('/v1/old'.length).replace(/^\//, '');
  if (query.get('list') === 'true') {
    const folder = name === '' || name.endsWith('/') ? name : `${name}/`;
    const below = [...self.plain.keys()].filter((key) => key.startsWith(folder));
    const keys = below.map((key) => /^[^/]+\/?/.exec(key.slice(folder.length))?.[0] ?? '');
    return listOf([...new Set(keys)].sort(), self);
  }
  const text = self.plain.get(name);
  return text === undefined
    ? errors(404)
    : [200, `{"lease_duration":2764800,"data":${text},"warnings":null,"mount_type":"kv"}`];
}

/** The answer to a correct password. With a second factor, it contains no token. */
function signedIn({ secondFactor, issuedToken }: Pick<VaultServer, 'secondFactor' | 'issuedToken'>) {
  const requirement = {
    mfa_request_id: '0d1c11c5-2c3a-3f5c-ee65-7a7f0a1b2c3d',
    mfa_constraints: { people: { any: [{ type: 'totp', id: 'a', uses_passcode: true, name: 'app' }] } },
  };
  return {
    lease_duration: 0,
    data: null,
    warnings: secondFactor ? ['A login request was issued that is subject to MFA validation.'] : null,
    auth: {
      client_token: issuedToken ?? (secondFactor ? '' : vaultToken),
      accessor: secondFactor ? '' : 'accessor-of-the-token',
      policies: null,
      metadata: null,
      lease_duration: secondFactor ? 0 : 3600,
      renewable: !secondFactor,
      entity_id: 'e1f1c4c6-3f0a-7a1d-9d3b-0a1b2c3d4e5f',
      mfa_requirement: secondFactor ? requirement : null,
    },
  };
}

function keyValue(
  self: Pick<VaultServer, 'secrets' | 'deleted' | 'listsEmpty' | 'readsDoubles'>,
  { method, body }: VaultRequest,
  path: string,
  query: URLSearchParams,
): Answered {
  const { secrets, deleted } = self;
  const [, area = '', name = ''] = /^\/v1\/secret\/(\w+)\/?(.*)$/.exec(path) ?? [];
  const versions = secrets.get(name) ?? [];
  const told = (version: number) => ({
    created_time: '2026-01-01T00:00:00.123456789Z',
    custom_metadata: null,
    deletion_time: deleted.has(`${name}@${version}`) ? '2026-01-01T00:00:01Z' : '',
    destroyed: false,
    version,
  });
  if (area === 'metadata' && query.get('list') === 'true') {
    const folder = name === '' || name.endsWith('/') ? name : `${name}/`;
    const below = [...secrets.keys()]
      .filter((key) => key.startsWith(folder))
      .map((key) => /^[^/]*\/?/.exec(key.slice(folder.length))?.[0] ?? '');
    const keys = [...new Set(below)].filter((key) => key !== '').sort();
    return listOf(keys, self);
  }
  if (area === 'metadata' && method === 'GET') {
    if (versions.length === 0) return errors(404);
    return data({
      cas_required: false,
      created_time: told(1).created_time,
      updated_time: told(1).created_time,
      current_version: versions.length,
      oldest_version: 0,
      max_versions: 0,
      delete_version_after: '0s',
      custom_metadata: null,
      versions: Object.fromEntries(versions.map((_, index) => [String(index + 1), told(index + 1)])),
    });
  }
  if (area === 'data' && method === 'GET') {
    const version = Number(query.get('version') ?? '0') || versions.length;
    const text = versions[version - 1];
    if (text === undefined) return errors(404);
    if (deleted.has(`${name}@${version}`)) {
      return [404, JSON.stringify({ data: { data: null, metadata: told(version) } })];
    }
    const read = self.readsDoubles ? JSON.stringify(JSON.parse(text)) : text;
    return [200, `{"data":{"data":${read},"metadata":${JSON.stringify(told(version))}},"mount_type":"kv"}`];
  }
  if (area === 'data' && method === 'POST') {
    const [, cas = '', text = ''] = /^\{"options":\{"cas":(\d+)\},"data":(.*)\}$/s.exec(body) ?? [];
    if (Number(cas) !== versions.length)
      return errors(400, 'check-and-set parameter did not match the current version');
    secrets.set(name, [...versions, text]);
    return data(told(versions.length + 1));
  }
  if (area === 'data' && method === 'DELETE') {
    deleted.add(`${name}@${versions.length}`);
    return [204, ''];
  }
  if (area === 'undelete') {
    const { versions: back } = JSON.parse(body) as { readonly versions: number[] };
    for (const version of back) deleted.delete(`${name}@${version}`);
    return [204, ''];
  }
  return errors(404, 'unsupported path');
}
