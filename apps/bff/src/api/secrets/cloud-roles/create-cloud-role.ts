import { newCloudRole, type CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { audited, type Operation } from '#operation/operation.ts';
import { atRole, cloudCaller, cloudResource, noRole, roleId } from '#shared/secrets/cloud-calls.ts';
import {
  checkRoleFields,
  hasRoleFields,
  mayWithRole,
  newRoleBody,
  readCloudRole,
  withNotKept,
} from '#shared/secrets/cloud-roles.ts';
import { alreadyThere, guardedCreate } from '#shared/secrets/guarded-create.ts';
import { wished } from '#shared/secrets/wished.ts';
import { writeRole } from '#upstreams/secrets-server/cloud.ts';

export const createCloudRole: Operation<'cloudRoles.create'> = audited(
  {
    address: ({ params, body }) => ({ id: roleId({ mount: params.mount, role: body.name }) }),
    became: atRole(async (caller, place, wish) => {
      const stored = await readCloudRole(caller, place);
      if (stored === null) return 'failed';
      const sent = wished(newCloudRole, wish);
      return sent !== undefined && hasRoleFields(stored, sent) ? 'succeeded' : 'unknown';
    }),
  },
  async (context, call) => {
    const { name, ...fields } = call.body;
    const place = { mount: call.params.mount, role: name };
    const caller = await cloudCaller(context, call);
    checkRoleFields(caller, fields);
    const resource = cloudResource(caller, 'cloud-role', roleId(place));
    const revisionOf = ({ revision }: { readonly revision: string }): string => revision;
    const equalsSent = (role: CloudRole): boolean => hasRoleFields(withNotKept(role, fields), fields);
    const stored = await guardedCreate({
      resource,
      revisionOf,
      read: () => readCloudRole(caller, place),
      send: async () => {
        await writeRole(caller, place, newRoleBody(fields));
        const stored = await readCloudRole(caller, place);
        if (stored === null) throw noRole(caller);
        // Another console may have created it at the same moment: then it is not what was sent here.
        if (!equalsSent(stored)) throw await alreadyThere(resource, stored, revisionOf);
        return stored;
      },
      equalsSent,
    });
    return { ...withNotKept(stored, fields), may: await mayWithRole(caller, place) };
  },
);
