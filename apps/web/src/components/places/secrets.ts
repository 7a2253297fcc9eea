/** Addresses of the secrets server's screens. Each name of a path is one path segment, encoded once. */
import { defaultStringifySearch } from '@tanstack/react-router';
import { folderOf } from '#lib/folder-of.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import type { SecretSearch } from './secret-search.ts';

function segments(path: string): string {
  return path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function secretsHref(environment: string): string {
  return `/${environment}/secrets`;
}

/** A page of the engine itself, such as its settings. */
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

/** The form for a new secret in a folder. @param name what its path begins with */
export function newSecretHref({ environment, mount, path }: SecretPlace, name?: string): string {
  return `${mountHref(environment, mount, 'new')}${segments(path)}${defaultStringifySearch({ name })}`;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that contain a path, from the top down, without the engine. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.unshift(folder);
  return folders;
}

/** Breadcrumbs for a secret or folder. */
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

/** The full path of a secret, with its engine. */
export function fullName({ mount, path }: Pick<SecretPlace, 'mount' | 'path'>): string {
  return path === '' ? mount : `${mount}/${path}`;
}

/** The form for a secret's settings and metadata. */
export function editMetadataHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'metadata')}${segments(path)}`;
}

/** The settings of an engine. */
export function engineHref({ environment, mount }: Pick<SecretPlace, 'environment' | 'mount'>): string {
  return mountHref(environment, mount, 'settings');
}

/** Deleted versions below a folder. */
export function recycleBinHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'recycle-bin')}${segments(path)}`;
}

/** Finds the secrets below a folder that contain a value. */
export function findValueHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'find-value')}${segments(path)}`;
}

/** Moves or copies a secret or a folder. */
export function moveHref({ environment, mount, path }: SecretPlace, what: 'secret' | 'folder'): string {
  return `${mountHref(environment, mount, 'move')}${segments(path)}${what === 'folder' ? '?folder=true' : ''}`;
}

/** Imports a file into a folder. */
export function importHref({ environment, mount, path }: SecretPlace): string {
  return `${mountHref(environment, mount, 'import')}${segments(path)}`;
}

/** Exports a secret, or the secrets below a folder, to a file. */
export function exportHref({ environment, mount, path }: SecretPlace, what: 'secret' | 'folder'): string {
  return `${mountHref(environment, mount, 'export')}${segments(path)}${what === 'secret' ? '?secret=true' : ''}`;
}
