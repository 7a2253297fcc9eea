/**
 * What a first visit asks the server for before the page's code is there. The build writes it down for each address, the
 * server into the document, and `public/begin.js` sends it; `call` takes the answers. A screen that is not named here asks
 * when its code is there. A test holds it against what the screens ask for.
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

/** Requests whose parameters, `$environment`, stand for parts of the page's address, as in its route. */
export interface FirstRequests {
  /** Those that do not depend on what is searched for. */
  readonly always?: readonly string[];
  /** The first rows, where nothing is searched for. */
  readonly rows?: readonly string[];
}

const everything = { scope_id: 'global', recursive: true, page_size: 1000 };
const scopes = template(access.scopes.list);

/** By the screen's address, as its route writes it; `shell` is asked for by all but the sign-in page. */
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

/** The address of an operation with `$name` for what the page's own address holds. */
function template(
  { path }: Address,
  query: Readonly<Record<string, string | number | boolean>> = {},
): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return [path.replaceAll(/:(\w+)/g, '$$$1'), ...(search.length === 0 ? [] : [search.join('&')])].join('?');
}
