import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { holdsSent, notThere, versionOfRevision } from '#shared/secrets/stored-secret.ts';
import { dataOf, writeGuarded } from '#shared/secrets/write-secret.ts';
import { holding } from '#shared/secrets/write-surely.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';
import { readVersion, writeVersion } from '#upstreams/secrets-server/versions.ts';

export const restoreSecret: Operation<'secrets.restore'> = audited(
  {
    address: ({ body }) => ({ paths: [`version=${body.version}`] }),
    became: atPlace(isRestored),
  },
  async (context, call) => {
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
          ? `Version ${version} was destroyed: its values can't be recovered.`
          : `Version ${version} is deleted: undelete it first.`,
      );
    }
    return writeGuarded({
      caller,
      place,
      seen,
      send: () => writeVersion(caller, place, text, seen),
      equalsSent: holdsSent(seen, text),
    });
  },
);

/** Of a restored version it is known which values it was to have: those of the older one. */
async function isRestored(caller: SecretsCaller, place: Place, wish: Wish): Promise<Became> {
  const became = await written(caller, place, wish);
  const { version } = wish.body;
  if (became.outcome !== 'unknown' || typeof version !== 'number') return became;
  const restored = await dataOf(caller, place, version);
  const next = Number(wish.revision) + 1;
  return restored !== null && (await holding(caller, place, next, restored)) !== undefined
    ? { outcome: 'succeeded', stored: { id: idOf(place), revision: String(next) } }
    : became;
}
