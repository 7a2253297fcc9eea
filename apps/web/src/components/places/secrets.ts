/** Where things of the secrets server are shown. A name in a path is one segment of the address, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';
import { folderOf } from '#lib/folder-of.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import type { SecretSearch } from './secret-search.ts';

function segments(path: string): string {
  return path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The engines of an environment. */
export function secretsHref(environment: string): string {
  return `/${environment}/secrets`;
}

/** A place of an engine of its own, such as its settings. */
function mountHref(environment: string, mount: string, name: string): string {
  return `${secretsHref(environment)}/${encodeURIComponent(mount)}/${name}`;
}

/** A folder; the engine itself with an empty path. */
export function folderHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'folder')}${segments(path)}`;
}

export function secretHref({ environment, mount, path }: SecretPlace, search: SecretSearch = {}): string {
  return `${mountHref(environment, mount, 'secret')}${segments(path)}${defaultStringifySearch(search)}`;
}

export function editSecretHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'edit')}${segments(path)}`;
}

/** The form for a new secret in a folder. */
export function newSecretHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'new')}${segments(path)}`;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that a path is in, from the top down, without the engine. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.unshift(folder);
  return folders;
}

/** The way up from a secret or a folder, for a page's header. */
export function crumbsOf({
  environment,
  mount,
  path,
}: SecretPlace): readonly { id: string; label: string; href: string }[] {
  const folders = path === '' ? [] : ['', ...foldersAbove(path)];
  return [
    { id: 'secrets', label: 'Secrets', href: secretsHref(environment) },
    ...folders.map((folder) => ({
      id: `/${folder}`,
      label: folder === '' ? mount : nameOf(folder),
      href: folderHref({ environment, mount, path: folder }),
    })),
  ];
}

/** A secret as people say it: engine and path. */
export function fullName({ mount, path }: Pick<SecretPlace, 'mount' | 'path'>): string {
  return path === '' ? mount : `${mount}/${path}`;
}

/** The form over what is kept about a secret beside its values. */
export function editMetadataHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'metadata')}${segments(path)}`;
}

/** The settings of an engine. */
export function engineHref({ environment, mount }: Pick<SecretPlace, 'environment' | 'mount'>): string {
  return mountHref(environment, mount, 'settings');
}

/** What can be undeleted below a folder. */
export function recycleBinHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'recycle-bin')}${segments(path)}`;
}

/** Where a secret, or with `folder` a folder, is moved or copied from. */
export function moveHref({ environment, mount, path }: SecretPlace, what: 'secret' | 'folder'): string {
  return `${mountHref(environment, mount, 'move')}${segments(path)}${what === 'folder' ? '?folder=true' : ''}`;
}

/** Where a file is read into a folder. */
export function importHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'import')}${segments(path)}`;
}

/** Where secrets below a folder, or with `secret` one secret, are written to a file. */
export function exportHref({ environment, mount, path }: SecretPlace, what: 'secret' | 'folder'): string {
  return `${mountHref(environment, mount, 'export')}${segments(path)}${what === 'secret' ? '?secret=true' : ''}`;
}
