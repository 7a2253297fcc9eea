import type { Operation } from '../../http/operation.ts';
import { writeVersion } from '../../upstreams/secrets-server/versions.ts';
import { secretsCaller } from './caller.ts';
import { checkData } from './data-text.ts';
import { holdsSent } from './stored-secret.ts';
import { writeGuarded } from './write-secret.ts';

export const createSecret: Operation<'createSecret'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const { data } = call.body;
  checkData(data);
  const caller = await secretsCaller(context, call);
  return writeGuarded({
    caller,
    place,
    seen: 0,
    send: () => writeVersion(caller, place, data, 0),
    equalsSent: holdsSent(0, data),
  });
};
