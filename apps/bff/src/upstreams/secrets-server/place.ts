import { buildPath, namesIn } from '../path.ts';
import type { SecretsCaller } from './client.ts';

/** Identifies a secret: an engine's mount and a path below it. Either may contain slashes. */
export interface Place {
  readonly mount: string;
  readonly path: string;
}

/** The parts of an engine, by the first segment of the address below its mount. */
export type Area = 'data' | 'metadata' | 'subkeys' | 'delete' | 'undelete' | 'destroy';

/** The address of a request about a secret or a folder. */
export function placePath(
  { transport }: SecretsCaller,
  area: Area | 'config',
  { mount, path }: Place,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1`, [...namesIn(mount), area, ...namesOf(path)], { query });
}

/** The address of a secret or folder in an engine without versions. */
export function plainPath(
  { transport }: SecretsCaller,
  { mount, path }: Place,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1`, [...namesIn(mount), ...namesOf(path)], { query });
}

/** The path as policies name it, for asking about capabilities. */
export function policyPath(area: Area | 'config', { mount, path }: Place): string {
  return [mount, area, ...namesOf(path)].join('/');
}

/** The policy path for listing a folder's names, and the prefix of the paths that grant writing in it. */
export function folderPolicyPath(area: Area, place: Place): string {
  return `${policyPath(area, place)}/`;
}

function namesOf(path: string): string[] {
  return path === '' ? [] : namesIn(path);
}

/** The ID of a secret, or of an engine if the path is empty, as users write it. */
export function idOf({ mount, path }: Place): string {
  return path === '' ? mount : `${mount}/${path}`;
}
