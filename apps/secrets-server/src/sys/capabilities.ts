import type { Request, Result, Route } from '../core/backend.ts';
import { textField, textListField } from '../core/fields.ts';
import type { TokenEntry } from '../core/identity.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import type { Identity } from '../identity/identity.ts';
import { isWrappedCaller } from '../identity/wrapped-caller.ts';

/** The work done in one go: with the largest policies, a path takes up to 1 ms, and 256 characters the same. */
const workInOneGo = 25;
const charactersOfWork = 256;
/** The maximum length of a path in characters. A request's own path is shorter than 16,384. */
const longestPath = 4096;
/** The maximum number of paths in a request. */
const mostPaths = 10_000;
/** The maximum number of characters in all paths; 30 million took a second. */
const mostCharacters = 2 * 1024 * 1024;

export function capabilityRoutes(identity: Identity): Route[] {
  const { tokens } = identity;
  return [
    {
      path: 'capabilities',
      fields: ['token', 'path', 'paths'],
      operations: {
        update: (request) => {
          const text = textField(request.body, 'token') ?? '';
          if (text === '') throw badRequest('missing token');
          return answer(identity, request, tokens.find(text, request.now), 'invalid token');
        },
      },
    },
    {
      path: 'capabilities-self',
      fields: ['token', 'path', 'paths'],
      operations: {
        update: (request) => {
          const { caller } = request;
          if (caller === undefined || isWrappedCaller(caller)) throw permissionDenied();
          return answer(identity, request, caller, 'invalid token');
        },
      },
    },
    {
      path: 'capabilities-accessor',
      fields: ['accessor', 'path', 'paths'],
      operations: {
        update: (request) => {
          const accessor = textField(request.body, 'accessor') ?? '';
          if (accessor === '') throw badRequest('missing accessor');
          const token = tokens.findByAccessor(accessor, request.now);
          // Unlike a token, an accessor may be known to others. It is valid in its own namespace and those around.
          const isReached = token?.namespace.startsWith(request.namespace) === true;
          return answer(identity, request, isReached ? token : undefined, 'invalid accessor');
        },
      },
    },
  ];
}

async function answer(
  { acls }: Identity,
  { namespace, body, giveWay }: Request,
  caller: TokenEntry | undefined,
  unknown: string,
): Promise<Result> {
  if (caller === undefined) throw badRequest(unknown);
  const paths =
    textListField(body, 'paths', mostCharacters) ?? textListField(body, 'path', mostCharacters) ?? [];
  if (paths.length === 0) throw badRequest('paths must be supplied');
  if (paths.length > mostPaths) throw badRequest(`more than ${mostPaths} paths`);
  if (paths.some((path) => path.length > longestPath))
    throw badRequest(`a path has more than ${longestPath} characters`);
  await acls.prepare(caller, giveWay);
  const acl = acls.of(caller);
  const answered: [string, readonly string[]][] = [];
  let work = 0;
  for (const path of paths) {
    work += 1 + path.length / charactersOfWork;
    if (work >= workInOneGo) {
      await giveWay();
      work = 0;
    }
    answered.push([path, acl.capabilities(namespace + path.replace(/^\/+/, ''))]);
  }
  const capabilities = Object.fromEntries(answered);
  const only = paths.length === 1 ? capabilities[paths[0] ?? ''] : undefined;
  return { data: { ...capabilities, ...(only !== undefined && { capabilities: only }) }, repeatData: true };
}
