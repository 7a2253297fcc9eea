/** Where things of the module registry are shown. A name is one segment of the address, encoded once. */
import type { ModuleAddress, ModulePlace } from '#queries/modules.ts';

export function modulesHref(environment: string): string {
  return `/${environment}/modules`;
}

/** A module: its latest version, unless one is given. */
export function moduleHref(
  { environment, namespace, name, provider }: ModulePlace,
  version?: string,
): string {
  const href = [modulesHref(environment), ...[namespace, name, provider].map(encodeURIComponent)].join('/');
  return version === undefined ? href : `${href}?version=${encodeURIComponent(version)}`;
}

/** Where a version is published: of a module that is there, or of a new one. */
export function publishModuleHref(environment: string, module?: ModuleAddress): string {
  const href = `${modulesHref(environment)}/publish`;
  if (module === undefined) return href;
  const { namespace, name, provider } = module;
  return `${href}?${new URLSearchParams({ namespace, name, provider }).toString()}`;
}

/** The person's tokens at the registry. */
export function moduleTokensHref(environment: string): string {
  return `${modulesHref(environment)}/tokens`;
}
