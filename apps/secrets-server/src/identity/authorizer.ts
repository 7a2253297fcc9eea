import { Unprepared } from '@gatehouse/service-kit/write-queue';
import type { Authorizer, WrapInfo } from '../core/authorizer.ts';
import type { Request } from '../core/backend.ts';
import type { TokenEntry } from '../core/identity.ts';
import { wireTime } from '../core/time.ts';
import { isToken } from '../domain/token/token.ts';
import type { TokenStore } from '../store/tokens.ts';
import type { Wrapping, WrappingStore } from '../store/wrappings.ts';
import { policiesChange } from './acls.ts';
import type { Acls } from './acls.ts';
import { isWrappedCaller, wrappedCaller } from './wrapped-caller.ts';

/** Paths that every caller may read: they show only mounts that the caller's policies reach. */
const openPaths = /^sys\/internal\/ui\/mounts(?:\/|$)/;

/** The paths that a wrapping token can be used for. */
const wrappingPaths: ReadonlySet<string> = new Set([
  'sys/wrapping/unwrap',
  'sys/wrapping/lookup',
  'sys/wrapping/rewrap',
]);

/** Authorizes by tokens and policies. */
export function tokenAuthorizer(tokens: TokenStore, wrappings: WrappingStore, acls: Acls): Authorizer {
  const payerOf = (caller: TokenEntry): string | null =>
    isWrappedCaller(caller) ? caller.wrapping.owner : tokens.payerOf(caller);

  return {
    authenticate(text, namespace, now) {
      const token = tokens.find(text, now);
      if (token === undefined) {
        const wrapping = wrappings.find(text, now);
        return wrapping === undefined || wrapping.namespace !== namespace
          ? undefined
          : wrappedCaller(wrapping);
      }
      // A token is valid in its own namespace and those below.
      if (!namespace.startsWith(token.namespace)) return undefined;
      return token.numUses === 0 ? token : tokens.use(token, now);
    },

    holds: (caller, text, now) =>
      isToken(caller) ? tokens.holds(caller, now) : wrappings.find(text, now) !== undefined,

    ownerOf: (text, now) => tokens.find(text, now)?.owner,

    async prepare(caller, giveWay) {
      if (!isWrappedCaller(caller)) await acls.prepare(caller, giveWay);
    },

    requirePrepared(caller, giveWay) {
      if (!isWrappedCaller(caller) && !acls.isPrepared(caller))
        throw new Unprepared(policiesChange(), () => acls.prepare(caller, giveWay));
    },

    allowed(caller, request) {
      if (isWrappedCaller(caller)) {
        return request.operation === 'update' && wrappingPaths.has(request.fullPath);
      }
      if (request.operation === 'read' && openPaths.test(request.fullPath)) return true;
      const verdict = acls.of(caller).judge({
        operation: request.operation,
        path: request.namespace + request.fullPath,
        parameters: parametersOf(request),
        ...(request.wrapTtl !== undefined && { wrapTtl: request.wrapTtl }),
      });
      return verdict.allowed && (verdict.sudo || !request.needsSudo);
    },

    reaches: (caller, namespace, path) =>
      !isWrappedCaller(caller) && acls.of(caller).mayReach(namespace + path),

    checkRoom({ caller, wrapTtl }) {
      if (wrapTtl !== undefined && caller !== undefined) wrappings.checkRoom(payerOf(caller));
    },

    async wrap(request, answer, ttl, { owner, accessor } = {}) {
      const { record, text } = await wrappings.add(
        {
          namespace: request.namespace,
          owner: request.caller === undefined ? (owner ?? null) : payerOf(request.caller),
          ttl,
          path: request.fullPath,
          tokenAccessor: accessor,
          answer,
        },
        request.now,
      );
      return wrapInfo(record, text);
    },
  };
}

const queried = new WeakMap<URLSearchParams, Readonly<Record<string, unknown>>>();

/**
 * The parameters that policies check: the body's members, or the query of a read. The same object for all judgments of
 * a request, because the verdict on it is kept.
 */
function parametersOf({ operation, body, query }: Request): Readonly<Record<string, unknown>> {
  return operation === 'read' && query.size > 0
    ? queried.getOrInsertComputed(query, () => Object.fromEntries(query))
    : body.values;
}

/** The `wrap_info` of a wrapped answer. */
export function wrapInfo(wrapping: Wrapping, token: string): WrapInfo {
  const { tokenAccessor } = wrapping;
  return {
    token,
    accessor: wrapping.accessor,
    ttl: wrapping.ttl,
    creation_time: wireTime(wrapping.createdTime),
    creation_path: wrapping.path,
    ...(tokenAccessor !== undefined && { wrapped_accessor: tokenAccessor }),
  };
}
