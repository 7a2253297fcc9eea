import type { Operation } from '../../http/operation.ts';
import { writeVersion } from '../../upstreams/secrets-server/versions.ts';
import { secretsCaller } from './caller.ts';
import { checkData } from './data-text.ts';
import { holdsSent, versionOfRevision } from './stored-secret.ts';
import { writeGuarded } from './write-secret.ts';

export const updateSecret: Operation<'updateSecret'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const { data } = call.body;
  const seen = versionOfRevision(call.revision);
  checkData(data);
  const caller = await secretsCaller(context, call);
  return writeGuarded({
    caller,
    place,
    seen,
    send: () => writeVersion(caller, place, data, seen),
    equalsSent: holdsSent(seen, data),
  });
};
