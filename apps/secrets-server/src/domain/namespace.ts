import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import { beyondFolder } from '../core/list-names.ts';
import { badRequest } from '../core/refusal.ts';

/** Names that no namespace may have: fixed paths of every namespace, and the alias of the root namespace. */
const reserved: ReadonlySet<string> = new Set(['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity']);

/** Most characters of a namespace's path. */
export const longestNamespace = 1_024;

/**
 * The range of the paths of the namespace just below the root that contains a namespace, and of all in it.
 * @param path not empty
 * @returns the first path, and the first that is beyond the range
 */
export function topRange(path: string): readonly [from: string, to: string] {
  const top = topOf(path);
  return [top, beyondFolder(top)];
}

/** The namespace just below the root that contains a namespace; empty for the root. */
export const topOf = (path: string): string => path.slice(0, path.indexOf('/') + 1);

/** Validates the name of a new namespace, which is one segment. @throws Refusal 400 */
export function namespaceName(given: string): string {
  const name = trimSlashes(given);
  if (name === '') throw badRequest('namespace name missing');
  if (name.includes('/')) throw badRequest('a namespace is created in its parent: enter one name at a time');
  if (name.length > 128) throw badRequest('namespace name longer than 128 characters');
  if (/[\s+*%?#]/.test(name)) throw badRequest('namespace name contains spaces or any of + * % ? #');
  if (reserved.has(name.toLowerCase()))
    throw badRequest(`"${name}" is a reserved path and cannot be used as a namespace`);
  return name;
}
