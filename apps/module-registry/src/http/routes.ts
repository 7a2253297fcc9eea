import { HttpError, jsonBody, sendJson } from '@gatehouse/service-kit/http';
import type { Express, RequestHandler } from 'express';
import { notFound } from '../domain/refusal.ts';
import type { Context, Operation } from './context.ts';
import { listConsumers, readDaily, readSummary } from './downloads/read.ts';
import { downloadLatest, locateArchive, sendArchive } from './modules/download.ts';
import { listModules, listProviders, searchModules } from './modules/list.ts';
import { deleteVersion, deprecateVersion, restoreVersion, verifyModule } from './modules/manage.ts';
import { publishVersion } from './modules/publish.ts';
import { listVersions, readLatest, readVersion } from './modules/read.ts';
import { createToken, listTokens, readOwnToken, revokeOwnToken, revokeToken } from './tokens/tokens.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Route {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<Method, Operation>>>;
  /** Its PUT carries an archive. */
  readonly archive?: true;
}

const discover: Operation = (_context, _req, res) => sendJson(res, 200, { 'modules.v1': '/v1/modules/' });

const modules = '/v1/modules';
const provider = `${modules}/:namespace/:name/:provider`;
const version = `${provider}/:version`;
const downloads = '/v2/modules/:namespace/:name/:provider/downloads';

/** Every path of the API with its methods. A path with a word comes before the one that it would also match. */
export const routes: readonly Route[] = [
  { path: '/.well-known/terraform.json', methods: { GET: discover } },
  { path: '/v1/tokens', methods: { GET: listTokens, POST: createToken } },
  { path: '/v1/tokens/self', methods: { GET: readOwnToken, DELETE: revokeOwnToken } },
  { path: '/v1/tokens/:id', methods: { DELETE: revokeToken } },
  { path: '/v1/archives/:id/:file', methods: { GET: sendArchive } },
  { path: modules, methods: { GET: listModules } },
  { path: `${modules}/search`, methods: { GET: searchModules } },
  { path: `${modules}/:namespace`, methods: { GET: listModules } },
  { path: `${modules}/:namespace/:name`, methods: { GET: listProviders } },
  { path: provider, methods: { GET: readLatest } },
  { path: `${provider}/versions`, methods: { GET: listVersions } },
  { path: `${provider}/download`, methods: { GET: downloadLatest } },
  { path: `${provider}/consumers`, methods: { GET: listConsumers } },
  { path: `${provider}/verified`, methods: { PUT: verifyModule } },
  {
    path: version,
    methods: { GET: readVersion, PUT: publishVersion, DELETE: deleteVersion },
    archive: true,
  },
  { path: `${version}/download`, methods: { GET: locateArchive } },
  { path: `${version}/deprecation`, methods: { PUT: deprecateVersion, DELETE: restoreVersion } },
  { path: `${downloads}/summary`, methods: { GET: readSummary } },
  { path: `${downloads}/daily`, methods: { GET: readDaily } },
];

/** Adds every route to an application: its methods, 405 for the others, and 404 for every other path. */
export function addRoutes(app: Express, context: Context): void {
  const json = jsonBody();
  for (const { path, methods, archive } of routes) {
    const allowed = Object.keys(methods).join(', ');
    const handlers: RequestHandler[] = archive === true ? [] : [smallBody, json];
    // Base URLs end with a slash: clients that do not take it off ask with one at the end.
    app.all([path, `${path}/`], ...handlers, async (req, res) => {
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      const operation = Object.hasOwn(methods, method) ? methods[method as Method] : undefined;
      if (operation === undefined)
        throw new HttpError(405, 'method_not_allowed', 'Method not allowed', { headers: { Allow: allowed } });
      await operation(context, req, res);
    });
  }
  app.use(() => {
    throw notFound();
  });
}

/** How long a body of JSON may take, in milliseconds. */
const jsonDeadlineMs = 60_000;

/** Small bodies are always read, and soon: who waits to be told to send one is told at once. */
const smallBody: RequestHandler = (req, res, next) => {
  if (req.headers.expect !== undefined) res.writeContinue();
  if (!req.complete) {
    const deadline = setTimeout(() => req.destroy(), jsonDeadlineMs);
    req.once('close', () => clearTimeout(deadline));
  }
  next();
};
