import { sendJson } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { wireOrganization } from '../wire/organization.ts';
import { openOrganization } from './open.ts';

/** DELETE /api/v1/organizations/:username: one without boxes. Answers it as it was. */
export const deleteOrganization: Operation = async (context, req, res) => {
  const { organization, actions } = openOrganization(context, req, 'manage');
  const body = wireOrganization(context, organization, actions);
  await context.namespaces.remove(organization.id);
  sendJson(res, 200, body);
};
