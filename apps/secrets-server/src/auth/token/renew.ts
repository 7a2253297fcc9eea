import type { Answer, Request, Route } from '../../core/backend.ts';
import { durationField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { grantTime } from '../../domain/token/token.ts';
import type { Identity } from '../../identity/identity.ts';
import { ownToken, tokenOfAccessor, tokenOfBody } from './named-token.ts';
import type { NamedToken } from './named-token.ts';
import { wireAuth } from './wire.ts';

export function renewRoutes(identity: Identity): Route[] {
  return [
    {
      path: 'renew',
      fields: ['token', 'increment'],
      operations: { update: (request) => renew(identity, request, tokenOfBody(identity, request)) },
    },
    {
      path: 'renew-self',
      fields: ['token', 'increment'],
      operations: { update: (request) => renew(identity, request, ownToken(request)) },
    },
    {
      path: 'renew-accessor',
      fields: ['accessor', 'increment'],
      operations: { update: (request) => renew(identity, request, tokenOfAccessor(identity, request)) },
    },
  ];
}

async function renew(
  { tokens }: Identity,
  { body, now }: Request,
  named: NamedToken | undefined,
): Promise<Answer> {
  const increment = durationField(body, 'increment') ?? 0;
  if (increment < 0) throw badRequest('increment cannot be negative');
  if (named === undefined) throw badRequest('token not found');
  const { token, text } = named;
  if (token.expireTime === null) return { auth: wireAuth(token, text, 0) };
  if (!token.lifetime.renewable) throw badRequest('lease is not renewable');
  const { ttl, warnings } = grantTime(token.lifetime, increment, token.createdTime, now);
  if (ttl === 0) throw badRequest('past the max TTL, cannot renew');
  const renewed = await tokens.renew(token, now + ttl * 1000, now);
  if (renewed === undefined) throw badRequest('token not found');
  return { auth: wireAuth(renewed, text, ttl), warnings };
}
