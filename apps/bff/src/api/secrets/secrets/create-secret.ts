import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { checkData } from '#shared/secrets/data-text.ts';
import { holdsSent } from '#shared/secrets/stored-secret.ts';
import { writeGuarded } from '#shared/secrets/write-secret.ts';
import { writeVersion } from '#upstreams/secrets-server/versions.ts';

export const createSecret: Operation<'createSecret'> = audited(
  { became: atPlace(written) },
  async (context, call) => {
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
  },
);
