import { sendJson } from '@gatehouse/service-kit/http';
import { Faults } from '../../domain/refusal.ts';
import type { Operation } from '../context.ts';
import { wireOrganization } from '../wire/organization.ts';
import { readOrganizationFields } from './fields.ts';
import { openOrganization } from './open.ts';

/** PUT /api/v1/organizations/:username: its profile. Its name stays: addresses of boxes have it. */
export const updateOrganization: Operation = async (context, req, res) => {
  const { organization, actions } = openOrganization(context, req, 'manage');
  const faults = new Faults();
  const { username, profile } = readOrganizationFields(req, faults);
  if (username !== undefined && username.toLowerCase() !== organization.name.toLowerCase())
    faults.add('Username cannot be changed');
  faults.refuseAny();
  if (profile !== undefined) await context.namespaces.setProfile(organization.id, profile);
  const changed = { ...organization, profile: profile ?? organization.profile };
  sendJson(res, 200, wireOrganization(context, changed, actions));
};
