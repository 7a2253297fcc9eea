/** Where cloud credentials engines and their roles are shown. A mount, with its slashes, is one segment of the address. */
import { defaultStringifySearch } from '@tanstack/react-router';
import type { RolePlace } from '#queries/cloud.ts';

type EnginePlace = Pick<RolePlace, 'environment' | 'mount'>;

/** The engines of an environment, also where there is one alone, which is opened without it. */
export function cloudHref(environment: string, isWhole = false): string {
  return `/${environment}/cloud${isWhole ? '?engines=true' : ''}`;
}

function engineHref({ environment, mount }: EnginePlace, name = ''): string {
  return `${cloudHref(environment)}/${encodeURIComponent(mount)}${name}`;
}

/** The roles of an engine. */
export function cloudRolesHref(place: EnginePlace): string {
  return engineHref(place);
}

export function cloudRoleHref(place: RolePlace, tab?: string): string {
  return `${engineHref(place, `/roles/${encodeURIComponent(place.role)}`)}${defaultStringifySearch({ tab })}`;
}

/** The form over a role; of a legacy one its conversion. */
export function editCloudRoleHref(place: RolePlace): string {
  return `${cloudRoleHref(place)}/edit`;
}

export function newCloudRoleHref(place: EnginePlace): string {
  return engineHref(place, '/new');
}

/** The root credentials of an engine. */
export function cloudRootHref(place: EnginePlace): string {
  return engineHref(place, '/root');
}

/** How long the leases of an engine last. */
export function cloudLeaseHref(place: EnginePlace): string {
  return engineHref(place, '/lease');
}

/** The way down to what an engine holds. */
export function cloudCrumbs(place: EnginePlace) {
  return [
    { id: 'cloud', label: 'Cloud roles', href: cloudHref(place.environment, true) },
    { id: 'engine', label: place.mount, href: cloudRolesHref(place) },
  ] as const;
}
