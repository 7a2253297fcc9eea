import type { Request, Route } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Wrapping } from '../../store/wrappings.ts';
import { ownToken, tokenOfAccessor, tokenOfBody } from './named-token.ts';

/** Whether there is such a wrapping token, of a namespace that the request reaches: revoking one removes its answer. */
function isReached(wrapping: Wrapping | undefined, { namespace }: Request): wrapping is Wrapping {
  return wrapping?.namespace.startsWith(namespace) === true;
}

/** auth/token/revoke, revoke-self, revoke-accessor, revoke-orphan: a token ends, and what was made with it. */
export function revokeRoutes(identity: Identity): Route[] {
  const { tokens, wrappings } = identity;
  /** What the token was given is taken back soon, not within the request: a provider may be slow. */
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
