import { buildPath } from '../path.ts';
import type { SecretsCaller } from './client.ts';

/** Where a secret is: an engine's mount and a path below it, both with their slashes. */
export interface Place {
  readonly mount: string;
  readonly path: string;
}

/** What an engine keeps about a path, by the first name of the address below its mount. */
export type Area = 'data' | 'metadata' | 'subkeys' | 'delete' | 'undelete' | 'destroy';

/** The address of a request about one secret or folder. */
export function placePath(
  { transport }: SecretsCaller,
  area: Area | 'config',
  { mount, path }: Place,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1`, [...mount.split('/'), area, ...namesOf(path)], { query });
}

/** The address of a secret or folder of an engine that keeps no versions. */
export function plainPath(
  { transport }: SecretsCaller,
  { mount, path }: Place,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1`, [...mount.split('/'), ...namesOf(path)], { query });
}

/** The path that policies are written for, as capabilities are asked. */
export function policyPath(area: Area | 'config', { mount, path }: Place): string {
  return [mount, area, ...namesOf(path)].join('/');
}

/** The path that a folder's names are listed at, and below which policies grant what may be written in it. */
export function folderPolicyPath(area: Area, place: Place): string {
  return `${policyPath(area, place)}/`;
}

function namesOf(path: string): string[] {
  return path === '' ? [] : path.split('/');
}

/** What a secret, or an engine alone, is called by its owners. */
export function idOf({ mount, path }: Place): string {
  return path === '' ? mount : `${mount}/${path}`;
}
