import { entriesOf, objectText } from '@gatehouse/api-types/console/json-text';
import { notReceived } from '#audit/became.ts';
import { fieldPaths } from '#audit/wish.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import {
  notThere,
  orDenied,
  readNewestWithoutValues,
  secretVersionOf,
} from '#shared/secrets/stored-secret.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';

export const revealSecret: Operation<'secrets.reveal'> = audited(
  {
    address: ({ body: { version, fields } }) => ({
      paths: [
        ...(version === undefined ? [] : [`version=${version}`]),
        ...(fields === undefined ? [] : fieldPaths(fields)),
      ],
    }),
    became: notReceived,
  },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { version, fields } = call.body;
    const caller = await secretsCaller(context, call);
    const read = await readVersion(caller, place, version);
    if (read === null) throw notThere(caller, version);
    const wanted = { ...read, text: fieldsOf(read.text, fields) };
    if (version === undefined) return secretVersionOf(place, wanted);
    const newest = await orDenied(readNewestWithoutValues(caller, place));
    return secretVersionOf(
      place,
      wanted,
      newest === 'denied' || newest === null ? read.metadata.version : newest.version,
    );
  },
);

/** The data with the fields of these names alone, each as it is stored. */
function fieldsOf(data: string | null, names: readonly string[] | undefined): string | null {
  if (data === null || names === undefined) return data;
  const wanted = new Set(names);
  return objectText(entriesOf(data).filter(({ key }) => wanted.has(key)));
}
