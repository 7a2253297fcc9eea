/** Links the resources of the audit trail to their pages. */
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import {
  accountHref,
  boxHref,
  organizationHref,
  settingsHref,
  versionHref,
} from '#components/places/boxes.ts';
import { cloudRoleHref, cloudRolesHref } from '#components/places/cloud.ts';
import { moduleHref, moduleTokensHref } from '#components/places/modules.ts';
import { pluginHref, pluginsHref } from '#components/places/plugins.ts';

/** Kinds with a page per ID, and the part of the address before the ID. */
const placeOfKind: Readonly<Record<string, string>> = {
  target: 'targets',
  person: 'people',
  'publish-run': 'boxes/publish',
  // A move of modules redirects from there.
  move: 'boxes/moves',
};

/** The link to a resource; undefined if it has no page. */
export function resourceHref(
  { action, resource: { kind, id } }: Pick<ActivityEntry, 'action' | 'resource'>,
  environment: string,
): string | undefined {
  switch (kind) {
    case 'box-token':
      return accountHref(environment);
    case 'box-two-factor':
      return action === 'box-two-factor.reset' ? settingsHref(environment) : accountHref(environment);
    case 'replication':
    case 'replication-secondary':
      return `/${environment}/replication`;
    case 'module-token':
      return moduleTokensHref(environment);
    case 'box-settings':
      return settingsHref(environment);
    default:
  }
  if (id === '') return undefined;
  // Names in the ID, outermost first.
  const [username = '', name = '', version = ''] = id.split('/');
  switch (kind) {
    case 'module':
    case 'module-version':
      return moduleHrefOf(environment, id);
    case 'plugin':
      return pluginHref(environment, id);
    case 'plugin-mount':
      return pluginsHref(environment, { q: id });
    case 'cloud-engine':
    case 'cloud-role':
    case 'cloud-credential':
    case 'cloud-lease':
      return cloudHrefOf(environment, id);
    case 'session':
      return `/${environment}/sessions?session=${encodeURIComponent(id)}`;
    case 'box':
      return boxHref({ environment, username, name });
    case 'box-version':
    case 'box-provider':
      return versionHref({ environment, username, name, version });
    case 'organization':
    case 'organization-member':
      return organizationHref(environment, username);
    default:
  }
  const place = placeOfKind[kind];
  return place === undefined ? undefined : `/${environment}/${place}/${encodeURIComponent(id)}`;
}

/** The page of a module or one of its versions. @param id `namespace/name/provider`, optionally with `/version` */
function moduleHrefOf(environment: string, id: string): string {
  const [namespace = '', name = '', provider = '', version] = id.split('/');
  return moduleHref({ environment, namespace, name, provider }, version);
}

/** The page of a role or its engine. @param id `mount`, which may contain slashes, or `mount/roles/name` */
function cloudHrefOf(environment: string, id: string): string {
  const end = id.lastIndexOf('/roles/');
  return end === -1
    ? cloudRolesHref({ environment, mount: id })
    : cloudRoleHref({ environment, mount: id.slice(0, end), role: id.slice(end + '/roles/'.length) });
}
