import { sendJson } from '@gatehouse/service-kit/http';
import { ownerNameFault } from '../../domain/names.ts';
import { mayCreateOrganization } from '../../domain/permissions.ts';
import { Faults, forbidden, unprocessable } from '../../domain/refusal.ts';
import { actionsIn } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { wireOrganization } from '../wire/organization.ts';
import { readOrganizationFields } from './fields.ts';

/** POST /api/v1/organizations: with the caller as its first owner. */
export const createOrganization: Operation = async (context, req, res) => {
  const caller = requireCaller(context, req);
  const person = { accountId: caller.account.id, role: caller.role };
  if (!mayCreateOrganization(person, context.settings.organizationCreators()))
    throw forbidden('You may not create organizations');
  const faults = new Faults();
  const { username = '', profile = '' } = readOrganizationFields(req, faults);
  faults.refuseAny();
  const fault = ownerNameFault(username);
  if (fault !== undefined) throw unprocessable(fault);
  // The boxes of a person who comes to the registry later are not to be an organization's.
  if (context.accounts.getByLoginName(username) !== undefined)
    throw unprocessable('Username has already been taken');
  const organization = await context.namespaces.createOrganization({
    name: username,
    profile,
    ownerId: caller.account.id,
    now: context.clock.now(),
  });
  sendJson(res, 200, wireOrganization(context, organization, actionsIn(context, caller, organization)));
};
