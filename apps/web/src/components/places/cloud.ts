/** Addresses of cloud engines and roles. A mount, with its slashes, is one path segment. */
import { defaultStringifySearch } from '@tanstack/react-router';
import type { RolePlace } from '#queries/cloud.ts';

type EnginePlace = Pick<RolePlace, 'environment' | 'mount'>;

/** The list of engines. @param isWhole also for a single engine, which otherwise opens directly */
export function cloudHref(environment: string, isWhole = false): string {
  return `/${environment}/cloud${isWhole ? '?engines=true' : ''}`;
}

function engineHref({ environment, mount }: EnginePlace, name = ''): string {
  return `${cloudHref(environment)}/${encodeURIComponent(mount)}${name}`;
}

export function cloudRolesHref(place: EnginePlace): string {
  return engineHref(place);
}

export function cloudRoleHref(place: RolePlace, tab?: string): string {
  return `${engineHref(place, `/roles/${encodeURIComponent(place.role)}`)}${defaultStringifySearch({ tab })}`;
}

/** The form of a role; for a legacy role, its conversion. */
export function editCloudRoleHref(place: RolePlace): string {
  return `${cloudRoleHref(place)}/edit`;
}

export function newCloudRoleHref(place: EnginePlace): string {
  return engineHref(place, '/new');
}

export function cloudRootHref(place: EnginePlace): string {
  return engineHref(place, '/root');
}

/** The lease settings of an engine. */
export function cloudLeaseHref(place: EnginePlace): string {
  return engineHref(place, '/lease');
}

/** Breadcrumbs for pages of an engine. */
export function cloudCrumbs(place: EnginePlace) {
  return [
    { id: 'cloud', label: 'Cloud roles', href: cloudHref(place.environment, true) },
    { id: 'engine', label: place.mount, href: cloudRolesHref(place) },
  ] as const;
}
