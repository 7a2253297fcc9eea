import type { Role } from '@gatehouse/service-kit/accounts';
import { sendJson } from '@gatehouse/service-kit/http';
import { organizationCreators } from '../domain/permissions.ts';
import { Faults, forbidden, unprocessable } from '../domain/refusal.ts';
import { FieldReader, readGroup } from './body.ts';
import { requireCaller, requireRight } from './caller.ts';
import type { Context, Operation } from './context.ts';

/** GET /api/v1/settings: the administrators' settings, for every caller with a token. */
export const readSettings: Operation = (context, req, res) => {
  const { role } = requireCaller(context, req);
  sendJson(res, 200, wireSettings(context, role));
};

/** PUT /api/v1/settings: sets who may create organizations. Requires an administrator. */
export const updateSettings: Operation = async (context, req, res) => {
  const { role } = requireRight(context, req, (caller) => {
    if (mayChangeSettings(caller.role)) return caller;
    throw forbidden('You may not change the settings of the registry');
  });
  const faults = new Faults();
  const fields = new FieldReader(readGroup(req, 'settings', ['organization_creators']), faults);
  const asked = fields.text('organization_creators', 20);
  faults.refuseAny();
  const creators = organizationCreators.find((one) => one === asked);
  if (creators === undefined)
    throw unprocessable(`Organization creators must be one of ${organizationCreators.join(', ')}`);
  await context.settings.setOrganizationCreators(creators);
  sendJson(res, 200, wireSettings(context, role));
};

const mayChangeSettings = (role: Role): boolean => role === 'administrator';

/** The settings, and whether the caller may change them. */
function wireSettings(context: Context, role: Role) {
  return {
    organization_creators: context.settings.organizationCreators(),
    may_change: mayChangeSettings(role),
  };
}
