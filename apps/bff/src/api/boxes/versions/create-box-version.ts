import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { createRecord } from '#shared/boxes/records.ts';
import { createVersion } from '#upstreams/box-registry/boxes.ts';

export const createBoxVersion: Operation<'createBoxVersion'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { username: params.username, name: params.name, version: body.version };
  return createRecord(versions, caller, at, body, note, () => createVersion(caller, params, body));
};
