/**
 * The wire differences of a real controller (Boundary 0.13 and later), which the embedded one doesn't have: zero values
 * are left out, a stale PATCH is 404 and yet stores the address, a stale source change is 500, lists come in small
 * pages. Its tokens and accounts are fixed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type Listening } from '@gatehouse/service-kit/service';

export interface BoundaryTarget {
  id: string;
  scope_id: string;
  name: string;
  version: number;
  type: string;
  created_time: string;
  updated_time: string;
  description?: string;
  address?: string;
  session_max_seconds: number;
  session_connection_limit: number;
  attributes: Record<string, unknown>;
  authorized_actions: string[];
  /** Left out if empty, and never an application kind. */
  host_source_ids?: string[];
  brokered_credential_source_ids?: string[];
  injected_application_credential_source_ids?: string[];
}

/** A request as the controller received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface BoundaryController {
  readonly url: string;
  readonly targets: Map<string, BoundaryTarget>;
  readonly seen: Seen[];
  /** Valid tokens. */
  readonly tokens: Set<string>;
  /** Answers before the controller. Returns whether it did. */
  intercept: ((req: Seen, res: ServerResponse) => boolean) | undefined;
  /** Runs after a write was stored and before it is answered. Returns whether it took over the answer. */
  afterWrite: ((req: Seen, res: ServerResponse) => boolean) | undefined;
  /** The password of all accounts. */
  password: string;
  pageSize: number;
  /** When tokens expire: the text of expiration_time. */
  tokenEnd: string;
  close(): Promise<void>;
}

export const boundaryPassword = 'correct-horse-battery-canary';

export async function boundaryController(
  where: Parameters<typeof listen>[1] = { host: '127.0.0.1', port: 0 },
): Promise<BoundaryController> {
  let tokenCount = 0;
  const self: Omit<BoundaryController, 'url' | 'close'> & { url: string } = {
    url: '',
    targets: new Map(),
    seen: [],
    tokens: new Set(),
    intercept: undefined,
    afterWrite: undefined,
    password: boundaryPassword,
    pageSize: 1000,
    tokenEnd: '2099-01-01T00:00:00Z',
  };
  const scope = { id: 'p_1234567890', type: 'project', name: 'Project' };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const seen: Seen = {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    };
    self.seen.push(seen);
    if (self.intercept?.(seen, res) === true) return;
    const url = new URL(seen.path, 'http://x');
    const answer = (status: number, body?: unknown): void => {
      if (body === undefined) {
        res.writeHead(204).end();
        return;
      }
      res.writeHead(status, {
        'content-type': 'application/json',
        'set-cookie': 'upstream=1',
        'x-upstream-secret': 'canary',
      });
      res.end(JSON.stringify(body));
    };
    const error = (status: number, kind: string, message: string): void => answer(status, { kind, message });
    if (url.pathname === '/v1/auth-methods') {
      answer(200, {
        items: [{ id: 'ampw_1234567890', scope_id: 'global', type: 'password', is_primary: true }],
        response_type: 'complete',
      });
      return;
    }
    if (url.pathname === '/v1/auth-methods/ampw_1234567890:authenticate') {
      const { attributes } = JSON.parse(seen.body) as {
        attributes: { login_name: string; password: string };
      };
      if (attributes.password !== self.password) {
        error(401, 'Unauthenticated', 'Unable to authenticate.');
        return;
      }
      tokenCount += 1;
      const id = `at_${String(tokenCount).padStart(10, '0')}`;
      const token = `${id}_s1canarytoken${tokenCount}`;
      self.tokens.add(token);
      answer(200, {
        attributes: { id, token, user_id: `u_${attributes.login_name}`, expiration_time: self.tokenEnd },
        command: 'login',
        type: 'token',
      });
      return;
    }
    const token = req.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!self.tokens.has(token)) {
      error(401, 'Unauthenticated', 'Unauthenticated, or invalid token.');
      return;
    }
    const [, , collection, name = ''] = url.pathname.split('/');
    const id = decodeURIComponent(name);
    if (collection === 'auth-tokens') {
      if (seen.method === 'DELETE') {
        self.tokens.delete(token);
        answer(204);
      } else answer(200, { id, user_id: 'u_admin', expiration_time: self.tokenEnd });
      return;
    }
    if (collection === 'scopes') {
      if (id === 'global') answer(200, { id: 'global', type: 'global', name: 'global' });
      else answer(200, { items: [{ ...scope, scope_id: 'o_1234567890' }], response_type: 'complete' });
      return;
    }
    if (collection !== 'targets') {
      error(404, 'NotFound', 'Resource not found.');
      return;
    }
    if (name === '' && seen.method === 'GET') {
      // The only form of filter that the console creates.
      const named = /^"\/item\/name" == `(.*)`$/.exec(url.searchParams.get('filter') ?? '')?.[1];
      const all = [...self.targets.values()].filter((one) => named === undefined || one.name === named);
      const from = Number(url.searchParams.get('list_token')?.slice(1) ?? 0);
      const items = all.slice(from, from + self.pageSize).map((target) => ({ ...target, scope }));
      const more = from + self.pageSize < all.length;
      answer(200, {
        ...(items.length > 0 && { items }),
        response_type: more ? 'delta' : 'complete',
        list_token: `t${from + self.pageSize}`,
        ...(all.length > 0 && { est_item_count: all.length }),
      });
      return;
    }
    const written = (target: BoundaryTarget | undefined): void => {
      if (self.afterWrite?.(seen, res) === true) return;
      if (target === undefined) answer(204);
      else answer(200, { ...target, scope });
    };
    const body = seen.body === '' ? {} : (JSON.parse(seen.body) as Record<string, unknown>);
    if (name === '') {
      if ([...self.targets.values()].some((one) => one.name === body['name'])) {
        error(
          400,
          'InvalidArgument',
          'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
        );
        return;
      }
      const target = boundaryTarget(`ttcp_${String(self.targets.size + 1).padStart(10, '0')}`, body);
      self.targets.set(target.id, target);
      written(target);
      return;
    }
    const verb = /^(.+):(add|set|remove)-(host|credential)-sources$/.exec(id);
    const target = self.targets.get(verb?.[1] ?? id);
    if (target !== undefined && verb !== null) {
      const stored = changedSources(target, verb[2] ?? '', body);
      // Existing sources are noticed before the version is compared; a stale version is a failure of its own.
      if (stored === undefined) error(400, 'InvalidArgument', 'Error in provided request.');
      else if (body['version'] !== target.version) {
        error(500, 'Internal', `Failed to ${verb[2]} target ${verb[3]} sources`);
      } else {
        self.targets.set(target.id, stored);
        written(stored);
      }
      return;
    }
    if (target === undefined) {
      error(404, 'NotFound', 'Resource not found.');
      return;
    }
    if (seen.method === 'GET') answer(200, { ...target, scope });
    else if (seen.method === 'DELETE') {
      self.targets.delete(id);
      written(undefined);
    } else {
      const { version, ...changes } = body;
      const stale = version !== target.version;
      if (stale && !('address' in changes)) {
        error(404, 'NotFound', `Target "${id}" not found or incorrect version provided.`);
        return;
      }
      const next: Record<string, unknown> = { ...target };
      for (const [field, value] of Object.entries(stale ? { address: changes['address'] } : changes)) {
        if (value === null) delete next[field];
        else next[field] = field === 'attributes' ? { ...target.attributes, ...(value as object) } : value;
      }
      const stored = {
        ...next,
        version: target.version + 1,
        updated_time: new Date(Date.parse(target.updated_time) + 1000).toISOString(),
      } as BoundaryTarget;
      self.targets.set(id, stored);
      if (stale) error(404, 'NotFound', `Target "${id}" not found or incorrect version provided.`);
      else written(stored);
    }
  };

  const listening: Listening = await listen((req, res) => {
    handle(req, res).catch(() => res.destroy());
  }, where);
  self.url = listening.address;
  return Object.assign(self, { close: () => listening.drain(0) });
}

/** A target after a change of its sources. A set clears the kinds that it leaves out. Undefined if it is refused. */
function changedSources(
  target: BoundaryTarget,
  verb: string,
  body: Readonly<Record<string, unknown>>,
): BoundaryTarget | undefined {
  const stored: BoundaryTarget = { ...target, version: target.version + 1 };
  const kinds = ['brokered_credential_source_ids', 'injected_application_credential_source_ids'] as const;
  for (const kind of 'host_source_ids' in body ? (['host_source_ids'] as const) : kinds) {
    const before = target[kind] ?? [];
    const given = (body[kind] ?? []) as string[];
    if (verb === 'add' && given.some((one) => before.includes(one))) return undefined;
    if (verb === 'remove' && !given.every((one) => before.includes(one))) return undefined;
    const after = {
      add: [...before, ...given],
      remove: before.filter((one) => !given.includes(one)),
      set: given,
    }[verb];
    if (after === undefined || after.length === 0) delete stored[kind];
    else stored[kind] = after;
  }
  return stored;
}

/** A target as Boundary stores it. */
export function boundaryTarget(id: string, fields: Partial<BoundaryTarget> = {}): BoundaryTarget {
  return {
    id,
    scope_id: 'p_1234567890',
    name: id,
    version: 1,
    type: 'tcp',
    created_time: '2026-01-01T00:00:00Z',
    updated_time: '2026-01-01T00:00:00Z',
    session_max_seconds: 28_800,
    session_connection_limit: -1,
    authorized_actions: ['no-op', 'read', 'update', 'delete'],
    ...fields,
    attributes: { default_port: 22, ...fields.attributes },
  };
}
