import { fieldPaths, namesIn } from '#audit/wish.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { checkData } from '#shared/secrets/data-text.ts';
import { holdsSent, versionOfRevision } from '#shared/secrets/stored-secret.ts';
import { writeGuarded } from '#shared/secrets/write-secret.ts';
import { writeVersion } from '#upstreams/secrets-server/versions.ts';

export const updateSecret: Operation<'secrets.update'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data, readable: isReadable = false } = call.body;
    const seen = versionOfRevision(call.revision);
    checkData(data);
    const caller = await secretsCaller(context, call);
    return writeGuarded({
      caller,
      place,
      seen,
      isReadable,
      send: () => writeVersion(caller, place, data, seen),
      equalsSent: holdsSent(seen, data),
    });
  },
);
