import type { Request, Route } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Wrapping } from '../../store/wrappings.ts';
import { ownToken, tokenOfAccessor, tokenOfBody } from './named-token.ts';

/** Whether a wrapping token exists in the request's namespace or below. Revoking it deletes the wrapped answer. */
function isReached(wrapping: Wrapping | undefined, { namespace }: Request): wrapping is Wrapping {
  return wrapping?.namespace.startsWith(namespace) === true;
}

/** Routes that revoke tokens; all but revoke-orphan revoke their descendants too. */
export function revokeRoutes(identity: Identity): Route[] {
  const { tokens, wrappings } = identity;
  /** Revokes the token's leases in the background, because a cloud provider may be slow. */
  const clearAway = (): void => {
    identity.sweep().catch(() => undefined);
  };
  return [
    {
      path: 'revoke',
      fields: ['token'],
      operations: {
        update: async (request) => {
          const named = tokenOfBody(identity, request);
          if (named === undefined) {
            const wrapping = wrappings.find(textField(request.body, 'token') ?? '', request.now);
            if (!isReached(wrapping, request)) return { warnings: ['Token not found'] };
            await wrappings.take(wrapping);
            return undefined;
          }
          await tokens.revoke(named.token.hash, request.now);
          clearAway();
          return undefined;
        },
      },
    },
    {
      path: 'revoke-self',
      operations: {
        update: async (request) => {
          await tokens.revoke(ownToken(request).token.hash, request.now);
          clearAway();
          return undefined;
        },
      },
    },
    {
      path: 'revoke-accessor',
      fields: ['accessor'],
      operations: {
        update: async (request) => {
          const wrapping = wrappings.findByAccessor(textField(request.body, 'accessor') ?? '', request.now);
          if (isReached(wrapping, request)) {
            await wrappings.take(wrapping);
            return undefined;
          }
          await tokens.revoke(tokenOfAccessor(identity, request).token.hash, request.now);
          clearAway();
          return undefined;
        },
      },
    },
    {
      path: 'revoke-orphan',
      fields: ['token'],
      sudo: true,
      operations: {
        update: async (request) => {
          const named = tokenOfBody(identity, request);
          if (named === undefined) throw badRequest('token to revoke not found');
          await tokens.revokeOrphan(named.token.hash, request.now);
          clearAway();
          return undefined;
        },
      },
    },
  ];
}
