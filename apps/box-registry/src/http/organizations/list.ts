import { sendJson } from '@gatehouse/service-kit/http';
import { mayCreateOrganization } from '../../domain/permissions.ts';
import { actionsIn } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';

/** GET /api/v1/organizations: all of them, with what the caller may do in each, and whether in new ones. */
export const listOrganizations: Operation = (context, req, res) => {
  const caller = requireCaller(context, req);
  const person = { accountId: caller.account.id, role: caller.role };
  sendJson(res, 200, {
    may_create: mayCreateOrganization(person, context.settings.organizationCreators()),
    organizations: context.namespaces.organizations().map((organization) => ({
      username: organization.name,
      actions: actionsIn(context, caller, organization),
    })),
  });
};
