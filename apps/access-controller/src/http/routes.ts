import { HttpError } from '@gatehouse/service-kit/http';
import type { Express } from 'express';
import type { MembershipVerb } from '../domain/members.ts';
import { notFound } from '../domain/refusal.ts';
import type { Resource } from '../domain/resource.ts';
import { changePassword, getAccount, listAccounts, setPassword } from './accounts/accounts.ts';
import { authenticate, getAuthMethod, listAuthMethods } from './auth-methods/auth-methods.ts';
import { deleteAuthToken, getAuthToken, listAuthTokens } from './auth-tokens/auth-tokens.ts';
import type { Context, Operation } from './context.ts';
import { credentialLibraries } from './credential-libraries/kind.ts';
import { credentialStores } from './credential-stores/credential-stores.ts';
import { credentials } from './credentials/kind.ts';
import { hostCatalogs } from './host-catalogs/host-catalogs.ts';
import { changeHosts, hostSets } from './host-sets/host-sets.ts';
import { hosts } from './hosts/kind.ts';
import type { ResourceKind } from './resource/kind.ts';
import {
  createResource,
  deleteResource,
  getResource,
  listResources,
  updateResource,
} from './resource/resource.ts';
import { createScope, deleteScope, getScope, listScopes, updateScope } from './scopes/scopes.ts';
import { cancelSession, getSession, listSessions } from './sessions/sessions.ts';
import { authorizeSession } from './targets/authorize-session.ts';
import { changeCredentialSources, changeHostSources } from './targets/change-sources.ts';
import { createTarget, deleteTarget, getTarget, listTargets, updateTarget } from './targets/targets.ts';
import { createUser, deleteUser, getUser, listUsers, updateUser } from './users/users.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface Route {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<Method, Operation>>>;
}

/** The five operations of every kind of resource. */
function resourceRoutes<Item extends Resource>(path: string, kind: ResourceKind<Item>): readonly Route[] {
  return [
    { path, methods: { GET: listResources(kind), POST: createResource(kind) } },
    {
      path: `${path}/:id`,
      methods: { GET: getResource(kind), PATCH: updateResource(kind), DELETE: deleteResource(kind) },
    },
  ];
}

const membershipVerbs: readonly MembershipVerb[] = ['add', 'set', 'remove'];

/** All paths of the API with their methods. A path with a verb precedes the one that it would also match. */
export const routes: readonly Route[] = [
  { path: '/v1/auth-methods', methods: { GET: listAuthMethods } },
  { path: '/v1/auth-methods/:id\\:authenticate', methods: { POST: authenticate } },
  { path: '/v1/auth-methods/:id', methods: { GET: getAuthMethod } },
  { path: '/v1/auth-tokens', methods: { GET: listAuthTokens } },
  { path: '/v1/auth-tokens/:id', methods: { GET: getAuthToken, DELETE: deleteAuthToken } },
  { path: '/v1/scopes', methods: { GET: listScopes, POST: createScope } },
  { path: '/v1/scopes/:id', methods: { GET: getScope, PATCH: updateScope, DELETE: deleteScope } },
  { path: '/v1/users', methods: { GET: listUsers, POST: createUser } },
  { path: '/v1/users/:id', methods: { GET: getUser, PATCH: updateUser, DELETE: deleteUser } },
  { path: '/v1/accounts', methods: { GET: listAccounts } },
  { path: '/v1/accounts/:id\\:set-password', methods: { POST: setPassword } },
  { path: '/v1/accounts/:id\\:change-password', methods: { POST: changePassword } },
  { path: '/v1/accounts/:id', methods: { GET: getAccount } },
  { path: '/v1/targets', methods: { GET: listTargets, POST: createTarget } },
  ...membershipVerbs.flatMap((verb) => [
    { path: `/v1/targets/:id\\:${verb}-host-sources`, methods: { POST: changeHostSources(verb) } },
    {
      path: `/v1/targets/:id\\:${verb}-credential-sources`,
      methods: { POST: changeCredentialSources(verb) },
    },
  ]),
  { path: '/v1/targets/:id\\:authorize-session', methods: { POST: authorizeSession } },
  { path: '/v1/targets/:id', methods: { GET: getTarget, PATCH: updateTarget, DELETE: deleteTarget } },
  ...resourceRoutes('/v1/host-catalogs', hostCatalogs),
  ...membershipVerbs.map((verb) => ({
    path: `/v1/host-sets/:id\\:${verb}-hosts`,
    methods: { POST: changeHosts(verb) },
  })),
  ...resourceRoutes('/v1/host-sets', hostSets),
  ...resourceRoutes('/v1/hosts', hosts),
  ...resourceRoutes('/v1/credential-stores', credentialStores),
  ...resourceRoutes('/v1/credentials', credentials),
  ...resourceRoutes('/v1/credential-libraries', credentialLibraries),
  { path: '/v1/sessions', methods: { GET: listSessions } },
  { path: '/v1/sessions/:id\\:cancel', methods: { POST: cancelSession } },
  { path: '/v1/sessions/:id', methods: { GET: getSession } },
];

/** Adds all routes to an application: their methods, 405 for other methods, and 404 for other paths. */
export function addRoutes(app: Express, context: Context): void {
  for (const { path, methods } of routes) {
    const allowed = Object.keys(methods).join(', ');
    app.all(path, async (req, res) => {
      const operation = operationFor(methods, req.method);
      if (operation === undefined) {
        throw new HttpError(405, 'Method Not Allowed', 'Method Not Allowed', { headers: { Allow: allowed } });
      }
      await operation(context, req, res);
    });
  }
  app.use(() => {
    throw notFound();
  });
}

/** HEAD is handled like GET; the server omits the body. */
function operationFor(
  methods: Readonly<Partial<Record<Method, Operation>>>,
  method: string,
): Operation | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return methods.GET;
    case 'POST':
    case 'PATCH':
    case 'DELETE':
      return methods[method];
    default:
      return undefined;
  }
}
