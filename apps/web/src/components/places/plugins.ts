/** Addresses of the plugins' screens. An ID is one path segment, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';

/** Initial values of a new registration. */
export interface PluginDraft {
  readonly type?: 'auth' | 'database' | 'secret' | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly sha256?: string | undefined;
  readonly command?: string | undefined;
}

/** The list, with its search. */
export function pluginsHref(environment: string, search: { readonly q?: string } = {}): string {
  return `/${environment}/plugins${defaultStringifySearch(search)}`;
}

/** @param id `secret/mine@v1.2.3` */
export function pluginHref(environment: string, id: string): string {
  return `${pluginsHref(environment)}/${encodeURIComponent(id)}`;
}

export function editPluginHref(environment: string, id: string): string {
  return `${pluginHref(environment, id)}/edit`;
}

/** Replaces a version by another on its mounts. */
export function upgradePluginHref(environment: string, id: string): string {
  return `${pluginHref(environment, id)}/upgrade`;
}

export function newPluginHref(environment: string, draft: PluginDraft = {}): string {
  return `${pluginsHref(environment)}/new${defaultStringifySearch({ ...draft })}`;
}
