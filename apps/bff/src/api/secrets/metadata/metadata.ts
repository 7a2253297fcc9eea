import { secretDatesIn } from '@gatehouse/api-types/console/secret-dates';
import type { SecretDate } from '@gatehouse/api-types/console/secret-metadata';
import { mapInOrder } from '#api/concurrently.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import { writeMetadata, patchMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { atPlace, settled } from '../became.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { readSecretMetadata, writeSettings, hasChanges, answerOf } from '../metadata.ts';
import { hasSettings, settingsForWire } from '../settings.ts';
import { notThere, orDenied } from '../stored-secret.ts';

/** How far ahead dates are listed, in milliseconds. */
const shownAhead = 30 * 86_400_000;
/** Dates that are checked, and the secrets that are read for them concurrently. */
const mostDates = 200;
const readsAtOnce = 8;

const getSecretMetadata: Operation<'secretMetadata.get'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const [metadata, may] = await Promise.all([readMetadata(caller, place), capabilitiesOf(caller, place)]);
  context.secretDates.note(call.params.environment, place, metadata?.custom_metadata);
  if (metadata === null) throw notThere(caller);
  return answerOf(caller, place, metadata, may);
};

/**
 * The dates that are due within 30 days, as stored, and checked with the caller's token: others may have changed the
 * metadata since, and the caller may not be allowed to read it.
 */
const listSecretDates: Operation<'secretMetadata.listDates'> = async (context, call) => {
  const { environment } = call.params;
  const caller = await secretsCaller(context, call);
  const until = context.clock.now() + shownAhead;
  const stored = await context.secretDates.before(environment, until, mostDates + 1);
  const places = new Map(
    stored.slice(0, mostDates).map(({ mount, path }) => [JSON.stringify([mount, path]), { mount, path }]),
  );
  const read = async (place: Place) => ({ place, metadata: await orDenied(readMetadata(caller, place)) });
  const items: SecretDate[] = [];
  for await (const { place, metadata } of mapInOrder(places.values(), read, readsAtOnce)) {
    if (metadata === 'denied') continue;
    const custom = metadata?.custom_metadata ?? {};
    context.secretDates.note(environment, place, custom);
    for (const { kind, at } of secretDatesIn(custom))
      if (at < until) items.push({ ...place, kind, at: new Date(at).toISOString() });
  }
  return {
    items: items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    is_complete: stored.length <= mostDates && (await context.secretDates.isWhole(environment, until)),
  };
};

const patchSecretMetadata: Operation<'secretMetadata.patch'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretMetadata(caller, place);
      return settled(stored, wish, place, hasChanges(stored ?? {}, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount, path } = call.params;
    if (Object.keys(call.body).length === 0) {
      throw new ProblemError('invalid-request', "The request doesn't change any field.");
    }
    const changes = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    return writeSettings(caller, { mount, path }, call, {
      send: (place, cas) => patchMetadata(caller, place, changes, cas),
      equalsSent: (stored) => hasChanges(stored, changes),
      dates: context.secretDates,
    });
  },
);

const updateSecretMetadata: Operation<'secretMetadata.update'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretMetadata(caller, place);
      return settled(stored, wish, place, hasSettings(stored ?? {}, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount, path } = call.params;
    const fields = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    return writeSettings(caller, { mount, path }, call, {
      send: (place, cas) => writeMetadata(caller, place, fields, cas),
      equalsSent: (stored) => hasSettings(stored, fields),
      dates: context.secretDates,
    });
  },
);

export const secretMetadataOperations = resource(inSecrets, {
  'secretMetadata.listDates': listSecretDates,
  'secretMetadata.get': getSecretMetadata,
  'secretMetadata.update': updateSecretMetadata,
  'secretMetadata.patch': patchSecretMetadata,
});
