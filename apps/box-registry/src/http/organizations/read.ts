import { sendJson } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { wireOrganization } from '../wire/organization.ts';
import { openOrganization } from './open.ts';

/** GET /api/v1/organizations/:username. */
export const readOrganization: Operation = (context, req, res) => {
  const { organization, actions } = openOrganization(context, req);
  sendJson(res, 200, wireOrganization(context, organization, actions));
};
