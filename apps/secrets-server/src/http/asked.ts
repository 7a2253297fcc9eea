import type { Operation } from '../core/backend.ts';
import { parseDuration, wholeSeconds } from '../core/duration.ts';
import type { Namespaces } from '../core/identity.ts';
import type { Mount } from '../core/mount.ts';
import { Refusal, badRequest, unsupportedOperation } from '../core/refusal.ts';
import { longestNamespace } from '../domain/namespace.ts';
import { systemTtl } from '../domain/token/token.ts';
import { namespacePath } from './path.ts';

/** Placeholder mount for a request to an unmounted path, which is refused only after its caller is authorized. */
export const nowhere: Mount = {
  id: 0,
  namespace: '',
  path: '',
  type: '',
  description: '',
  accessor: '',
  uuid: '',
  options: null,
  config: { defaultLeaseTtl: 0, maxLeaseTtl: 0, forceNoCache: false, listingVisibility: '' },
  pluginVersion: '',
  local: false,
};

/** The operation that a method requests. @throws Refusal 405, or 400 if `list` is not a boolean */
export function operationOf(method: string, query: URLSearchParams): Operation {
  switch (method) {
    // Node omits the body of the answer.
    case 'HEAD':
    case 'GET': {
      const list = query.get('list');
      if (list === null || list === '') return 'read';
      if (/^(?:1|t|true)$/i.test(list)) return 'list';
      if (/^(?:0|f|false)$/i.test(list)) return 'read';
      throw badRequest('"list" is not a boolean');
    }
    case 'LIST':
      return 'list';
    case 'POST':
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    case 'OPTIONS':
    case 'TRACE':
      throw unsupportedOperation();
    default:
      throw new Refusal(405, []);
  }
}

/** Resolves a request's namespace from its header and the start of its path. @throws Refusal 404; 400 if too long */
export function placeOf(
  namespaces: Namespaces,
  header: string | string[] | undefined,
  path: string,
): { readonly namespace: string; readonly path: string } {
  if (header !== undefined && header.length > longestNamespace)
    throw badRequest(`X-Vault-Namespace is longer than ${longestNamespace} characters`);
  let namespace = typeof header === 'string' ? namespacePath(header) : '';
  checkNamespace(namespaces, namespace);
  let at = 0;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const longer = namespace + path.slice(at, slash + 1);
    if (!namespaces.has(longer)) break;
    namespace = longer;
    at = slash + 1;
  }
  return { namespace, path: at === 0 ? path : path.slice(at) };
}

/** @throws Refusal 404 unless the namespace exists */
export function checkNamespace(namespaces: Namespaces, path: string): void {
  if (!namespaces.has(path)) throw new Refusal(404, ['namespace not found']);
}

/** The lifetime of the wrapped answer in seconds, at most 32 days; undefined if it is not wrapped. @throws Refusal 400 */
export function wrapTtlOf(header: string | string[]): number | undefined {
  const seconds = typeof header === 'string' ? parseDuration(header) : undefined;
  if (seconds === undefined || seconds < 0) throw badRequest('unable to parse wrap TTL');
  return seconds === 0 ? undefined : Math.min(wholeSeconds(seconds), systemTtl);
}

export const mergePatchType = 'application/merge-patch+json';

export function isMergePatch(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/merge-patch\+json\s*(?:;|$)/i.test(contentType);
}
