/** Addresses of the box registry's screens. A name is one path segment, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';
import type { BoxPlace, ProviderPlace, VersionPlace } from '#queries/boxes.ts';

export interface Crumb {
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

export function boxesHref(environment: string): string {
  return `/${environment}/boxes`;
}

/** The user's account: tokens and the second factor. */
export function accountHref(environment: string): string {
  return `${boxesHref(environment)}/account`;
}

/** The registry's organizations, if it manages them. */
export function organizationsHref(environment: string): string {
  return `${boxesHref(environment)}/organizations`;
}

/** The members and the profile of an organization; its boxes are at `ownerHref`. */
export function organizationHref(environment: string, username: string): string {
  return `${organizationsHref(environment)}/${encodeURIComponent(username)}`;
}

export function newOrganizationHref(environment: string): string {
  return `${boxesHref(environment)}/new-organization`;
}

/** The registry's settings, for administrators. */
export function settingsHref(environment: string): string {
  return `${boxesHref(environment)}/settings`;
}

/** The wizard for a new box, another version of one, or the image of an existing provider. */
export function publishHref(
  environment: string,
  box?: Pick<BoxPlace, 'username' | 'name'>,
  image?: Pick<ProviderPlace, 'version' | 'provider' | 'architecture'>,
): string {
  const href = `${boxesHref(environment)}/publish`;
  if (box === undefined) return href;
  const { version, provider, architecture } = image ?? {};
  return (
    href + defaultStringifySearch({ box: `${box.username}/${box.name}`, version, provider, architecture })
  );
}

export function newBoxHref(environment: string, owner?: string): string {
  const href = `${boxesHref(environment)}/new`;
  return owner === undefined ? href : `${href}?owner=${encodeURIComponent(owner)}`;
}

export function ownerHref(environment: string, username: string): string {
  return `${boxesHref(environment)}/owners/${encodeURIComponent(username)}`;
}

export function boxHref({ environment, username, name }: BoxPlace, tab?: 'versions'): string {
  const href = `${ownerHref(environment, username)}/${encodeURIComponent(name)}`;
  return tab === undefined ? href : `${href}?tab=${tab}`;
}

/** The form for only a version; the wizard covers all steps. */
export function newVersionHref(place: BoxPlace): string {
  return `${boxHref(place)}/new-version`;
}

export function versionHref(place: VersionPlace): string {
  return `${boxHref(place)}/versions/${encodeURIComponent(place.version)}`;
}

export function providerHref(place: ProviderPlace): string {
  return `${versionHref(place)}/providers/${encodeURIComponent(place.provider)}/${encodeURIComponent(place.architecture)}`;
}

export function newProviderHref(place: VersionPlace): string {
  return `${versionHref(place)}/new-provider`;
}

/** Breadcrumbs for pages of an owner. */
export function ownerCrumbs(environment: string, username: string): readonly Crumb[] {
  return [
    { id: 'boxes', label: 'Boxes', href: boxesHref(environment) },
    { id: 'owner', label: username, href: ownerHref(environment, username) },
  ];
}

/** Breadcrumbs for pages of an organization. */
export function organizationCrumbs(environment: string, username?: string): readonly Crumb[] {
  return [
    { id: 'boxes', label: 'Boxes', href: boxesHref(environment) },
    { id: 'organizations', label: 'Organizations', href: organizationsHref(environment) },
    ...(username === undefined
      ? []
      : [{ id: 'organization', label: username, href: organizationHref(environment, username) }]),
  ];
}

/** Breadcrumbs for pages of a box. */
export function boxCrumbs(place: BoxPlace): readonly Crumb[] {
  return [
    ...ownerCrumbs(place.environment, place.username),
    { id: 'box', label: place.name, href: boxHref(place) },
  ];
}

/** Breadcrumbs for pages of a version. */
export function versionCrumbs(place: VersionPlace): readonly Crumb[] {
  return [...boxCrumbs(place), { id: 'version', label: place.version, href: versionHref(place) }];
}
