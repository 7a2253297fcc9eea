/** Where plugins of the secrets server are shown. The id of one is one segment of the address, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';

/** What a new registration begins with. */
export interface PluginDraft {
  readonly type?: 'auth' | 'database' | 'secret' | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly sha256?: string | undefined;
  readonly command?: string | undefined;
}

/** The list, with what it is searched for. */
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

/** Putting another version in the place of one, on its mounts. */
export function upgradePluginHref(environment: string, id: string): string {
  return `${pluginHref(environment, id)}/upgrade`;
}

export function newPluginHref(environment: string, draft: PluginDraft = {}): string {
  return `${pluginsHref(environment)}/new${defaultStringifySearch({ ...draft })}`;
}
