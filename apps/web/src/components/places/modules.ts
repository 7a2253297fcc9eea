/** Where things of the module registry are shown. A name is one segment of the address, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';
import type { ModulePlace } from '#queries/modules.ts';

/** What of a module is shown; without any of it the latest version, as its README says. */
export interface ModuleView {
  readonly version?: string | undefined;
  /** Path of a submodule or an example within the archive. */
  readonly submodule?: string | undefined;
  readonly tab?: string | undefined;
  /** A version that this one is compared with. */
  readonly compare?: string | undefined;
}

export function modulesHref(environment: string): string {
  return `/${environment}/modules`;
}

/** The modules of one namespace. */
function namespaceHref(environment: string, namespace: string): string {
  return modulesHref(environment) + defaultStringifySearch({ namespace });
}

/** @param shown a version alone, or more of what is shown */
export function moduleHref(
  { environment, namespace, name, provider }: ModulePlace,
  shown: string | ModuleView = {},
): string {
  const path = [namespace, name, provider].map((part) => encodeURIComponent(part)).join('/');
  const search = typeof shown === 'string' ? { version: shown } : shown;
  return `${modulesHref(environment)}/${path}${defaultStringifySearch({ ...search })}`;
}

/** Publishing, of a new version where a module is given. */
export function publishModuleHref(
  environment: string,
  module?: Pick<ModulePlace, 'namespace' | 'name' | 'provider'>,
): string {
  const { namespace, name, provider } = module ?? {};
  return `${modulesHref(environment)}/publish${defaultStringifySearch({ namespace, name, provider })}`;
}

/** The person's own tokens at the registry. */
export function moduleTokensHref(environment: string): string {
  return `${modulesHref(environment)}/tokens`;
}

/** The way down to a module. */
export function moduleCrumbs(environment: string, namespace: string) {
  return [
    { id: 'modules', label: 'Modules', href: modulesHref(environment) },
    { id: 'namespace', label: namespace, href: namespaceHref(environment, namespace) },
  ] as const;
}
