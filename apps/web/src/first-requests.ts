/**
 * What a first visit requests before the page's code arrives. The build stores this list, the server puts it
 * into the document, `public/begin.js` sends the requests, and `call` uses their answers. Other screens send
 * theirs once their code is loaded. A test compares the list with the screens' actual requests.
 */
import * as access from '@gatehouse/api-types/console/addresses/access';
import * as activity from '@gatehouse/api-types/console/addresses/activity';
import type { Address } from '@gatehouse/api-types/console/addresses/address';
import * as boxes from '@gatehouse/api-types/console/addresses/boxes';
import * as cloud from '@gatehouse/api-types/console/addresses/cloud';
import * as modules from '@gatehouse/api-types/console/addresses/modules';
import { plugins } from '@gatehouse/api-types/console/addresses/plugins';
import { preferences } from '@gatehouse/api-types/console/addresses/preferences';
import { replication } from '@gatehouse/api-types/console/addresses/replication';
import * as secrets from '@gatehouse/api-types/console/addresses/secrets';
import { connections, session, sessions } from '@gatehouse/api-types/console/addresses/session';

/** Requests whose parameters, such as `$environment`, are filled in from the page's address. */
export interface FirstRequests {
  /** Independent of the search parameters. */
  readonly always?: readonly string[];
  /** The first rows, requested only without search parameters. */
  readonly rows?: readonly string[];
}

const everything = { scope_id: 'global', recursive: true, page_size: 1000 };
const scopes = template(access.scopes.list);

/** By the route of the screen. `shell` is requested on all pages except the sign-in page. */
export const firstRequests: Readonly<Record<string, FirstRequests>> = {
  shell: { always: [template(session.find), template(preferences.get), template(connections.list)] },
  '/sign-in': { always: [template(session.getSignInOptions)], rows: [template(session.find)] },
  '/$environment': {
    always: [template(access.targets.list, everything), template(sessions.list)],
  },
  '/$environment/targets': {
    always: [scopes],
    rows: [template(access.targets.list, { scope_id: 'global', page_size: 100, recursive: true })],
  },
  '/$environment/host-sources': { always: [template(access.hostCatalogs.list, everything), scopes] },
  '/$environment/credential-sources': {
    always: [template(access.credentialStores.list, everything), scopes],
  },
  '/$environment/sessions': { rows: [template(access.accessSessions.list, everything)] },
  '/$environment/people': { always: [template(access.people.list, { page_size: 1000 }), scopes] },
  '/$environment/activity': {
    always: [template(activity.activity.list, { outcome: 'unknown', page_size: 100 })],
    rows: [template(activity.activity.list, { page_size: 100 })],
  },
  '/$environment/connections': { always: [template(sessions.list)] },
  '/$environment/secrets': { always: [template(secrets.secretEngines.list)] },
  '/$environment/secrets/$mount': {
    always: [
      template(secrets.secrets.listFolder, { page_size: 500 }),
      template(secrets.secrets.getCapabilities),
    ],
  },
  '/$environment/secrets/$mount/folder/$': {
    always: [
      template(secrets.secrets.listFolder, { path: '$_splat', page_size: 500 }),
      template(secrets.secrets.getCapabilities, { path: '$_splat' }),
      template(secrets.secrets.listFolder, { page_size: 500 }),
    ],
  },
  '/$environment/plugins': { always: [template(plugins.list)] },
  '/$environment/replication': { always: [template(replication.getStatus)] },
  '/$environment/cloud': { always: [template(cloud.cloudEngines.list)] },
  '/$environment/cloud/$mount': {
    always: [template(cloud.cloudEngines.list)],
    rows: [template(cloud.cloudRoles.list, { limit: 50 })],
  },
  '/$environment/boxes': {
    always: [template(boxes.boxAccount.get)],
    rows: [template(boxes.boxes.search, { limit: 50 })],
  },
  '/$environment/modules': { rows: [template(modules.modules.search, { limit: 50 })] },
  '/$environment/modules/$namespace/$name/$provider': { always: [template(modules.modules.get)] },
  '/$environment/boxes/organizations': {
    always: [template(boxes.organizations.list), template(boxes.boxAccount.get)],
  },
};

/** The path of an operation, with its parameters as `$name`. */
function template(
  { path }: Address,
  query: Readonly<Record<string, string | number | boolean>> = {},
): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return [path.replaceAll(/:(\w+)/g, '$$$1'), ...(search.length === 0 ? [] : [search.join('&')])].join('?');
}
