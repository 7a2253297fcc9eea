import { jsonBody } from '@gatehouse/service-kit/http';
import * as kit from '@gatehouse/service-kit/routes';
import type { Express } from 'express';
import { notFound } from '../domain/refusal.ts';
import { createToken, deleteToken, validateToken } from './authenticate/authenticate.ts';
import { createBox, deleteBox, readBox, updateBox } from './boxes/boxes.ts';
import { askerOf } from './caller.ts';
import type { Context } from './context.ts';
import { downloadImage, readDownloads, readMetadata } from './downloads/downloads.ts';
import { listNamespaces, readNamespace } from './namespaces.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  addMember,
  changeMember,
  removeMember,
  readOrganization,
  updateOrganization,
} from './organizations/organizations.ts';
import { createProvider, deleteProvider, readProvider, updateProvider } from './providers/providers.ts';
import { searchBoxes } from './search.ts';
import { readSettings, updateSettings } from './settings.ts';
import { deleteTokenByHash, listTokens } from './tokens/tokens.ts';
import {
  confirmTwoFactor,
  readTwoFactor,
  resetTwoFactor,
  setUpTwoFactor,
  turnOffTwoFactor,
  requestCode,
} from './two-factor/two-factor.ts';
import { finishUpload, prepareUpload, receiveImage } from './uploads/uploads.ts';
import { readOwner } from './users/read.ts';
import {
  createVersion,
  deleteVersion,
  moveVersion,
  readVersion,
  updateVersion,
} from './versions/versions.ts';

type Route = kit.Route<Context>;

const organization = '/api/v1/organizations/:username';

/** Operations for the console, in addition to Vagrant Cloud's API. */
const ownRoutes: readonly Route[] = [
  { path: '/api/v1/tokens', methods: { GET: listTokens } },
  { path: '/api/v1/tokens/:hash', methods: { DELETE: deleteTokenByHash } },
  {
    path: '/api/v1/two-factor',
    methods: {
      GET: readTwoFactor,
      POST: setUpTwoFactor,
      PUT: confirmTwoFactor,
      DELETE: turnOffTwoFactor,
    },
  },
  { path: '/api/v1/two-factor/:username', methods: { DELETE: resetTwoFactor } },
  { path: '/api/v1/organizations', methods: { GET: listOrganizations, POST: createOrganization } },
  {
    path: organization,
    methods: { GET: readOrganization, PUT: updateOrganization, DELETE: deleteOrganization },
  },
  { path: `${organization}/members`, methods: { POST: addMember } },
  { path: `${organization}/members/:member`, methods: { PUT: changeMember, DELETE: removeMember } },
  { path: '/api/v1/namespaces', methods: { GET: listNamespaces } },
  { path: '/api/v1/namespaces/:username', methods: { GET: readNamespace } },
  { path: '/api/v1/box/:username/:name/downloads', methods: { GET: readDownloads } },
  { path: '/api/v1/settings', methods: { GET: readSettings, PUT: updateSettings } },
];

/** The paths of boxes in one version of the API. The versions differ in how they name a provider. */
function boxRoutes(base: '/api/v1' | '/api/v2', providerName: string): readonly Route[] {
  const box = `${base}/box/:username/:name`;
  const version = `${box}/version/:version`;
  const provider = `${version}/provider/${providerName}`;
  return [
    { path: `${base}/user/:username`, methods: { GET: readOwner } },
    { path: `${base}/search`, methods: { GET: searchBoxes } },
    { path: `${base}/boxes`, methods: { POST: createBox } },
    { path: box, methods: { GET: readBox, PUT: updateBox, DELETE: deleteBox } },
    { path: `${box}/versions`, methods: { POST: createVersion } },
    { path: version, methods: { GET: readVersion, PUT: updateVersion, DELETE: deleteVersion } },
    { path: `${version}/release`, methods: { PUT: moveVersion('release') } },
    { path: `${version}/revoke`, methods: { PUT: moveVersion('revoke') } },
    { path: `${version}/providers`, methods: { POST: createProvider } },
    { path: provider, methods: { GET: readProvider, PUT: updateProvider, DELETE: deleteProvider } },
    { path: `${provider}/upload`, methods: { GET: prepareUpload('plain') } },
    { path: `${provider}/upload/direct`, methods: { GET: prepareUpload('direct') } },
    { path: `${provider}/upload/direct/:upload`, methods: { PUT: finishUpload } },
  ];
}

const download = '/:username/boxes/:name/versions/:version/providers';

/** All paths of the API with their methods. A path with a word precedes the one that it would also match. */
export const routes: readonly Route[] = [
  { path: '/api/v1/authenticate', methods: { GET: validateToken, POST: createToken, DELETE: deleteToken } },
  { path: '/api/v1/two-factor/request-code', methods: { POST: requestCode } },
  ...ownRoutes,
  ...boxRoutes('/api/v1', ':provider'),
  // Current clients validate a token with version 2, but create and delete tokens with version 1.
  { path: '/api/v2/authenticate', methods: { GET: validateToken } },
  ...boxRoutes('/api/v2', ':provider/:architecture'),
  // Some releases of the vagrant_cloud library send the image with POST.
  { path: '/upload/:upload', methods: { PUT: receiveImage, POST: receiveImage }, file: true },
  { path: '/api/v2/vagrant/:username/:name', methods: { GET: readMetadata } },
  { path: `${download}/:provider.box`, methods: { GET: downloadImage } },
  { path: `${download}/:provider/:architecture/vagrant.box`, methods: { GET: downloadImage } },
  { path: '/:username/:name.json', methods: { GET: readMetadata } },
  { path: '/:username/:name', methods: { GET: readMetadata } },
];

/** Adds all routes to an application, and 404 for all other paths. */
export function addRoutes(app: Express, context: Context): void {
  kit.addRoutes(app, context, routes, {
    readBody: jsonBody({ anyContentType: true, askerOf: (req) => askerOf(context, req) }),
    // A full version takes milliseconds to read, and many clients may request it at once.
    askerOf: (req) => askerOf(context, req),
  });
  app.use(() => {
    throw notFound();
  });
}
