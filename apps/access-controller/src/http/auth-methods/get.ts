import { sendJson } from '@gatehouse/service-kit/http';
import { passwordMethodId } from '../../domain/auth-token.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import { passwordMethod } from './method.ts';

/** GET /v1/auth-methods/{id} */
export const getAuthMethod: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'auth-method', 'read');
  const id = pathId(req, 'ampw');
  if (id !== passwordMethodId) throw notFound();
  sendJson(res, 200, passwordMethod(context, allowedOn('auth-method', role), role));
};
