/** Where things of the box registry are shown. A name is one segment of the address, encoded once. */
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

/** The person's own account: tokens and the second factor. */
export function accountHref(environment: string): string {
  return `${boxesHref(environment)}/account`;
}

/** Organizations of the registry, where it manages them. */
export function organizationsHref(environment: string): string {
  return `${boxesHref(environment)}/organizations`;
}

/** Who belongs to an organization, and what it says about itself; its boxes are at `ownerHref`. */
export function organizationHref(environment: string, username: string): string {
  return `${organizationsHref(environment)}/${encodeURIComponent(username)}`;
}

export function newOrganizationHref(environment: string): string {
  return `${boxesHref(environment)}/new-organization`;
}

/** What administrators decide about the registry. */
export function settingsHref(environment: string): string {
  return `${boxesHref(environment)}/settings`;
}

/** The wizard, for a new box, for another version of one, or for the image of a provider that is there. */
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

/** The form of a version alone; the wizard goes through all steps. */
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

/** The way down to what belongs to an owner. */
export function ownerCrumbs(environment: string, username: string): readonly Crumb[] {
  return [
    { id: 'boxes', label: 'Boxes', href: boxesHref(environment) },
    { id: 'owner', label: username, href: ownerHref(environment, username) },
  ];
}

/** The way down to what belongs to an organization. */
export function organizationCrumbs(environment: string, username?: string): readonly Crumb[] {
  return [
    { id: 'boxes', label: 'Boxes', href: boxesHref(environment) },
    { id: 'organizations', label: 'Organizations', href: organizationsHref(environment) },
    ...(username === undefined
      ? []
      : [{ id: 'organization', label: username, href: organizationHref(environment, username) }]),
  ];
}

/** The way down to what is in a box. */
export function boxCrumbs(place: BoxPlace): readonly Crumb[] {
  return [
    ...ownerCrumbs(place.environment, place.username),
    { id: 'box', label: place.name, href: boxHref(place) },
  ];
}

/** The way down to what is in a version. */
export function versionCrumbs(place: VersionPlace): readonly Crumb[] {
  return [...boxCrumbs(place), { id: 'version', label: place.version, href: versionHref(place) }];
}
