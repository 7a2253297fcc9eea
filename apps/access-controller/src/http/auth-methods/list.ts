import { sendJson } from '@gatehouse/service-kit/http';
import { allowedOn } from '../../domain/permissions.ts';
import { findCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { readGlobalList } from '../global-list.ts';
import { passwordMethod } from './method.ts';

/** GET /v1/auth-methods: how to sign in. Open to everyone. */
export const listAuthMethods: Operation = async (context, req, res) => {
  const answer = await readGlobalList(context, req);
  const role = findCaller(context, req)?.role ?? null;
  const actions = role === null ? ['authenticate'] : allowedOn('auth-method', role);
  sendJson(res, 200, await answer([passwordMethod(context, actions, role)], (method) => method));
};
