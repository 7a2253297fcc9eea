import {
  cloudRoleChanges,
  fieldsOfCloudRole,
  type CloudRole,
} from '@gatehouse/api-types/console/cloud-roles';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atRole, cloudCaller, cloudResource, noRole, roleId } from '#shared/secrets/cloud-calls.ts';
import {
  changedRoleBody,
  checkRoleFields,
  hasRoleFields,
  mayWithRole,
  readCloudRole,
  withNotKept,
} from '#shared/secrets/cloud-roles.ts';
import { invalidField } from '#shared/secrets/invalid-field.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { wished } from '#shared/secrets/wished.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { writeRole } from '#upstreams/secrets-server/cloud.ts';

export const updateCloudRole: Operation<'cloudRoles.update'> = audited(
  {
    became: atRole(async (caller, place, wish) => {
      const stored = await readCloudRole(caller, place);
      const sent = wished(cloudRoleChanges, wish);
      if (stored === null || sent === undefined) return 'unknown';
      if (hasRoleFields(stored, sent)) return 'succeeded';
      return stored.revision === wish.revision ? 'failed' : 'unknown';
    }),
  },
  async (context, call) => {
    const { mount, role } = call.params;
    const place = { mount, role };
    const changes = Object.fromEntries(
      Object.entries(call.body).filter(([, value]) => value !== undefined),
    ) as typeof call.body;
    if (Object.keys(changes).length === 0) {
      throw new ProblemError('invalid-request', "The request doesn't change any field.");
    }
    const caller = await cloudCaller(context, call);
    let body: Record<string, unknown> = {};
    let sentOver: CloudRole | undefined;
    const stored = await guardedWrite<CloudRole>({
      resource: cloudResource(caller, 'cloud-role', roleId(place)),
      expected: call.revision,
      readFirst: true,
      read: () => readCloudRole(caller, place),
      revisionOf: ({ revision }) => revision,
      judge: (before) => {
        if (before.legacy && changes.credential_type === undefined) throw notConverted(caller, before);
        const fields = { ...fieldsOfCloudRole(before), ...changes };
        checkRoleFields(caller, fields);
        body = changedRoleBody(fields, before);
        sentOver = before;
      },
      failed: whatFailed,
      send: async () => {
        await writeRole(caller, place, body);
        const after = await readCloudRole(caller, place);
        if (after === null) throw noRole(caller);
        return after;
      },
      // Before anything was sent, a field that the role lacks is one that others took from it.
      equalsSent: (after) =>
        hasRoleFields(sentOver === undefined ? after : withNotKept(after, changes, sentOver), changes),
    });
    return { ...withNotKept(stored, changes), may: await mayWithRole(caller, place) };
  },
);

function notConverted(caller: SecretsCaller, { credential_type }: CloudRole): ProblemError {
  return invalidField(
    caller,
    'credential_type',
    `This role has the parameters of an earlier server (${credential_type}). Choose its new type.`,
  );
}
