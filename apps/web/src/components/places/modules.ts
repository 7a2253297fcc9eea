/** Addresses of the module registry's screens. A name is one path segment, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';
import type { ModulePlace } from '#queries/modules.ts';

/** The shown part of a module; by default, the latest version's README. */
export interface ModuleView {
  readonly version?: string | undefined;
  /** Path of a submodule or example within the archive. */
  readonly submodule?: string | undefined;
  readonly tab?: string | undefined;
  /** The version to compare with. */
  readonly compare?: string | undefined;
}

export function modulesHref(environment: string): string {
  return `/${environment}/modules`;
}

/** The modules of one namespace. */
function namespaceHref(environment: string, namespace: string): string {
  return modulesHref(environment) + defaultStringifySearch({ namespace });
}

/** @param shown a version, or more of what to show */
export function moduleHref(
  { environment, namespace, name, provider }: ModulePlace,
  shown: string | ModuleView = {},
): string {
  const path = [namespace, name, provider].map((part) => encodeURIComponent(part)).join('/');
  const search = typeof shown === 'string' ? { version: shown } : shown;
  return `${modulesHref(environment)}/${path}${defaultStringifySearch({ ...search })}`;
}

/** Publishes a module, or a new version if a module is given. */
export function publishModuleHref(
  environment: string,
  module?: Pick<ModulePlace, 'namespace' | 'name' | 'provider'>,
): string {
  const { namespace, name, provider } = module ?? {};
  return `${modulesHref(environment)}/publish${defaultStringifySearch({ namespace, name, provider })}`;
}

/** The user's own tokens at the registry. */
export function moduleTokensHref(environment: string): string {
  return `${modulesHref(environment)}/tokens`;
}

/** Breadcrumbs for a module's pages. */
export function moduleCrumbs(environment: string, namespace: string) {
  return [
    { id: 'modules', label: 'Modules', href: modulesHref(environment) },
    { id: 'namespace', label: namespace, href: namespaceHref(environment, namespace) },
  ] as const;
}
