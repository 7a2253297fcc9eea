import { guardedWrite } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import { hasSent } from '../../upstreams/access-controller/target-wire.ts';
import { updateTarget as update } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { storedTarget, versionOf } from './stored-target.ts';

export const updateTarget: Operation<'updateTarget'> = async (context, call) => {
  const { body, params, revision } = call;
  const version = versionOf(revision);
  if (Object.keys({ ...body, ...body.attributes }).every((name) => name === 'attributes')) {
    throw new ProblemError('invalid-request', 'The request changes no field.');
  }
  const caller = await accessCaller(context, call);
  return guardedWrite({
    ...storedTarget(caller, params.id),
    expected: revision,
    send: () => update(caller, params.id, version, body),
    equalsSent: (stored) => hasSent(stored, body),
    // Some controllers store the address of a stale update and refuse only the rest.
    readFirst: body.address !== undefined,
  });
};
