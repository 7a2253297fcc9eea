import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { holdsSent, versionOfRevision } from '#shared/secrets/stored-secret.ts';
import { writeGuarded } from '#shared/secrets/write-secret.ts';
import { readVersion, writeVersion } from '#upstreams/secrets-server/versions.ts';
import { notThere } from './get-secret.ts';

export const restoreSecret: Operation<'restoreSecret'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const seen = versionOfRevision(call.revision);
  const { version } = call.body;
  const caller = await secretsCaller(context, call);
  const older = await readVersion(caller, place, version);
  if (older === null) throw notThere(caller, version);
  const { text } = older;
  if (text === null) {
    throw new ProblemError(
      'invalid-request',
      older.metadata.destroyed
        ? `Version ${version} was destroyed: its values are gone for ever.`
        : `Version ${version} is deleted: bring it back first.`,
    );
  }
  return writeGuarded({
    caller,
    place,
    seen,
    send: () => writeVersion(caller, place, text, seen),
    equalsSent: holdsSent(seen, text),
  });
};
