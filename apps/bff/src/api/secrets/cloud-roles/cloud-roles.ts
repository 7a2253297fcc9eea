import {
  cloudRoleChanges,
  fieldsOfCloudRole,
  type CloudRole,
  type CloudRoleSummary,
  newCloudRole,
} from '@gatehouse/api-types/console/cloud-roles';
import { mapInOrder } from '#api/concurrently.ts';
import { guardedWrite, onceWritten, guardedDelete } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { writeRole, listRoles, readRole, deleteRole } from '#upstreams/secrets-server/cloud.ts';
import { inCloud, atRole, cloudCaller, cloudResource, noRole, roleId } from '../cloud-calls.ts';
import {
  changedRoleBody,
  checkRoleFields,
  hasRoleFields,
  mayWithRole,
  readCloudRole,
  withNotKept,
  summaryOf,
  newRoleBody,
} from '../cloud-roles.ts';
import { alreadyThere, guardedCreate } from '../guarded-create.ts';
import { invalidField } from '../invalid-field.ts';
import { whatFailed, orDenied } from '../stored-secret.ts';
import { wished } from '../wished.ts';

const createCloudRole: Operation<'cloudRoles.create'> = audited(
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
        // Another console may have created the role at the same moment, with other fields.
        if (!equalsSent(stored)) throw await alreadyThere(resource, stored, revisionOf);
        return stored;
      },
      equalsSent,
    });
    return { ...withNotKept(stored, fields), may: await onceWritten(() => mayWithRole(caller, place)) };
  },
);

const deleteCloudRole: Operation<'cloudRoles.delete'> = audited(
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

const getCloudRole: Operation<'cloudRoles.get'> = async (context, call) => {
  const { mount, role } = call.params;
  const place = { mount, role };
  const caller = await cloudCaller(context, call);
  const [found, may] = await Promise.all([readCloudRole(caller, place), mayWithRole(caller, place)]);
  if (found === null) throw noRole(caller);
  return { ...found, may };
};

/** The number of roles read concurrently. */
const atOnce = 8;

const listCloudRoles: Operation<'cloudRoles.list'> = compressed(async (context, call) => {
  const { mount } = call.params;
  const { q = '', offset = 0, limit = 50 } = call.query;
  const caller = await cloudCaller(context, call);
  const wanted = q.toLowerCase();
  const names = (await listRoles(caller, mount)).filter((name) => name.toLowerCase().includes(wanted));
  const read = async (role: string): Promise<CloudRoleSummary> => {
    const found = await orDenied(readRole(caller, { mount, role }));
    return summaryOf(role, found === 'denied' ? null : found);
  };
  const items = await Array.fromAsync(mapInOrder(names.slice(offset, offset + limit), read, atOnce));
  return { items, total: names.length };
});

const updateCloudRole: Operation<'cloudRoles.update'> = audited(
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
      note: call.note,
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
      // Before anything was sent, a missing field is someone else's change, not one that the server ignores.
      equalsSent: (after) =>
        hasRoleFields(sentOver === undefined ? after : withNotKept(after, changes, sentOver), changes),
    });
    return { ...withNotKept(stored, changes), may: await onceWritten(() => mayWithRole(caller, place)) };
  },
);

export const cloudRoleOperations = resource(inCloud, {
  'cloudRoles.list': listCloudRoles,
  'cloudRoles.get': getCloudRole,
  'cloudRoles.create': createCloudRole,
  'cloudRoles.update': updateCloudRole,
  'cloudRoles.delete': deleteCloudRole,
});

function notConverted(caller: SecretsCaller, { credential_type }: CloudRole): ProblemError {
  return invalidField(
    caller,
    'credential_type',
    `This is a legacy role (${credential_type}). Choose the credential type to convert it to.`,
  );
}
