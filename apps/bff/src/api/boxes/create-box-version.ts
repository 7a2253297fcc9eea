import type { Operation } from '../../http/operation.ts';
import { createVersion } from '../../upstreams/box-registry/boxes.ts';
import { boxesCaller } from './caller.ts';
import { versions } from './kinds.ts';
import { createRecord } from './records.ts';

export const createBoxVersion: Operation<'createBoxVersion'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { username: params.username, name: params.name, version: body.version };
  return createRecord(versions, caller, at, body, note, () => createVersion(caller, params, body));
};
