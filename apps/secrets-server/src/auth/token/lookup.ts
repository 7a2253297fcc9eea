import type { Route } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Identity } from '../../identity/identity.ts';
import { ownToken, tokenOfAccessor, tokenOfBody } from './named-token.ts';
import { wireToken } from './wire.ts';

export function lookupRoutes(identity: Identity): Route[] {
  return [
    {
      path: 'lookup',
      fields: ['token'],
      operations: {
        update: (request) => {
          const named =
            (textField(request.body, 'token') ?? '') === ''
              ? ownToken(request)
              : tokenOfBody(identity, request);
          if (named === undefined) throw new Refusal(403, ['bad token']);
          return { data: wireToken(named.token, named.text, request.now) };
        },
      },
    },
    {
      path: 'lookup-self',
      operations: {
        read: (request) => {
          const { token, text } = ownToken(request);
          const data = wireToken(token, text, request.now);
          const { owner } = token;
          // Other servers don't send the owner. The console lets all tokens of one take turns.
          const isOwn = owner === token.accessor || owner === token.person?.accountId;
          return { data: { ...data, ...(!isOwn && { owner }) } };
        },
      },
    },
    {
      path: 'lookup-accessor',
      fields: ['accessor'],
      operations: {
        update: (request) => {
          const { token, text } = tokenOfAccessor(identity, request);
          return { data: wireToken(token, text, request.now) };
        },
      },
    },
  ];
}
