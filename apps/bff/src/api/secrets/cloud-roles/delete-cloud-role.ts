import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atRole, cloudCaller, cloudResource, roleId } from '#shared/secrets/cloud-calls.ts';
import { readCloudRole } from '#shared/secrets/cloud-roles.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { deleteRole } from '#upstreams/secrets-server/cloud.ts';

export const deleteCloudRole: Operation<'cloudRoles.delete'> = audited(
  {
    became: atRole(async (caller, place) =>
      (await readCloudRole(caller, place)) === null ? 'succeeded' : 'failed',
    ),
  },
  async (context, call) => {
    const { mount, role } = call.params;
    const place = { mount, role };
    const caller = await cloudCaller(context, call);
    await guardedDelete({
      resource: cloudResource(caller, 'cloud-role', roleId(place)),
      expected: call.revision,
      read: () => readCloudRole(caller, place),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => deleteRole(caller, place),
    });
  },
);
