import { badRequest } from '../core/refusal.ts';

/** Names that paths of every namespace begin with. */
const reserved: ReadonlySet<string> = new Set(['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity']);

/** The name of a namespace that is to be made, one segment. @throws Refusal 400 */
export function namespaceName(given: string): string {
  const name = given.replace(/^\/+|\/+$/g, '');
  if (name === '') throw badRequest('namespace name missing');
  if (name.includes('/')) throw badRequest('a namespace is created in its parent: enter one name at a time');
  if (name.length > 128) throw badRequest('namespace name longer than 128 characters');
  if (/[\s+*%?#]/.test(name)) throw badRequest('namespace name contains spaces or any of + * % ? #');
  if (reserved.has(name.toLowerCase()))
    throw badRequest(`"${name}" is a reserved path and cannot be used as a namespace`);
  return name;
}
