import type { Secret } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { capabilitiesOf } from '#shared/secrets/capabilities.ts';
import {
  isReadable,
  notThere,
  orDenied,
  readNames,
  readState,
  stateOf,
  versionFields,
} from '#shared/secrets/stored-secret.ts';
import { engineAt } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';

export const getSecret: Operation<'secrets.get'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const caller = await secretsCaller(context, call);
  const [engine, may, found] = await Promise.all([
    engineAt(caller, mount),
    capabilitiesOf(caller, place),
    describe(caller, place, call.query.version, context.clock.now()),
  ]);
  // Users who can patch fields by name can do so without seeing any.
  if (found === null && !(may?.patch === true && call.query.version === undefined)) throw notReadable(caller);
  const described = found ?? { revision: unknownRevision, version: null };
  return { mount, path, versioned: engine.kind !== 'plain', may, ...described };
};

/**
 * @returns null where nothing about it may be read, not even whether it exists
 * @throws ProblemError `not-found`, `forbidden` where only its metadata may be read, and there is none
 */
async function describe(
  caller: SecretsCaller,
  place: Place,
  version: number | undefined,
  now: number,
  isAgain = false,
): Promise<Pick<Secret, 'revision' | 'version'> | null> {
  const newest = await readNames(caller, place);
  const isAnother = version !== undefined && newest !== 'denied' && newest?.metadata.version !== version;
  const wanted = isAnother ? await readNames(caller, place, version) : newest;
  if (wanted !== 'denied' && wanted !== null) {
    const {
      mount: _mount,
      path: _path,
      ...fields
    } = versionFields(place, wanted.metadata, readState(wanted));
    const revision =
      newest === 'denied' || newest === null ? wanted.metadata.version : newest.metadata.version;
    return { revision: String(revision), version: { ...fields, structure: wanted.text } };
  }
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata === 'denied') {
    if (wanted === 'denied' || newest !== null) return null;
    throw notThere(caller, version);
  }
  if (metadata === null) throw wanted === 'denied' ? notReadable(caller) : notThere(caller, version);
  const number = version ?? metadata.current_version;
  const told = metadata.versions[String(number)];
  if (told === undefined && version !== undefined) throw notThere(caller, version);
  // Not there when its names were asked for, and readable now: it was written in between.
  if (wanted === null && !isAgain && told !== undefined && isReadable(stateOf(told, now))) {
    return describe(caller, place, version, now, true);
  }
  return {
    revision: String(metadata.current_version),
    version:
      told === undefined
        ? null
        : {
            version: number,
            state: stateOf(told, now),
            created_time: told.created_time,
            deletion_time: told.deletion_time,
            custom_metadata: metadata.custom_metadata,
            structure: null,
          },
  };
}

function notReadable({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError(
    'forbidden',
    "Your policies at the secrets server don't let you read any of this secret.",
    { environment, service },
  );
}
