import { jsonBody, sendJson } from '@gatehouse/service-kit/http';
import * as kit from '@gatehouse/service-kit/routes';
import type { Express } from 'express';
import { notFound } from '../domain/refusal.ts';
import { askerOf } from './caller.ts';
import type { Context, Operation } from './context.ts';
import { listConsumers, readDaily, readSummary } from './downloads/read.ts';
import { downloadLatest, locateArchive, sendArchive } from './modules/download.ts';
import { listModules, listProviders, searchModules } from './modules/list.ts';
import { deleteVersion, deprecateVersion, restoreVersion, verifyModule } from './modules/manage.ts';
import { publishVersion } from './modules/publish.ts';
import { listVersions, readLatest, readVersion } from './modules/read.ts';
import { createToken, listTokens, readOwnToken, revokeOwnToken, revokeToken } from './tokens/tokens.ts';

const discover: Operation = (_context, _req, res) => sendJson(res, 200, { 'modules.v1': '/v1/modules/' });

const modules = '/v1/modules';
const provider = `${modules}/:namespace/:name/:provider`;
const version = `${provider}/:version`;
const downloads = '/v2/modules/:namespace/:name/:provider/downloads';

/** All paths of the API with their methods. A path with a word precedes the one that it would also match. */
const routes: readonly kit.Route<Context>[] = [
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
    file: true,
  },
  { path: `${version}/download`, methods: { GET: locateArchive } },
  { path: `${version}/deprecation`, methods: { PUT: deprecateVersion, DELETE: restoreVersion } },
  { path: `${downloads}/summary`, methods: { GET: readSummary } },
  { path: `${downloads}/daily`, methods: { GET: readDaily } },
];

/** Adds all routes to an application, and 404 for all other paths. */
export function addRoutes(app: Express, context: Context): void {
  // Base URLs end with a slash, and some clients request them unchanged.
  kit.addRoutes(app, context, routes, {
    readBody: jsonBody({ askerOf: (req) => askerOf(context, req) }),
    // A version with much content takes tens of milliseconds to read, and many clients may request it at once.
    askerOf: (req) => askerOf(context, req),
    slashAtEnd: true,
  });
  app.use(() => {
    throw notFound();
  });
}
