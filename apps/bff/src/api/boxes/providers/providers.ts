import { hasImage } from '@gatehouse/api-types/console/box-values';
import { notReceived } from '#audit/became.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { boxFile, downloadTicket, downloadsPath } from '#uploads/download-ticket.ts';
import { readProvider } from '#upstreams/box-registry/boxes.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { inBoxes, boxesCaller } from '../caller.ts';
import { providers } from '../kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord, idOf, notThere } from '../records.ts';

/** How long the download address is valid, in milliseconds. */
const lifetime = 10 * 60_000;

const prepareBoxDownload: Operation<'boxProviders.prepareDownload'> = audited(
  { address: ({ params }) => ({ id: idOf(providers, params) }), became: notReceived },
  async (context, call) => {
    const { environment, username, name, version, provider, architecture } = call.params;
    const caller = await boxesCaller(context, call);
    const stored = await readProvider(caller, call.params);
    if (stored === null) throw notThere(caller, 'box-provider');
    call.note.saw(stored);
    if (!hasImage(stored)) {
      throw new ServiceError(
        'invalid-request',
        'The registry has no image for this provider.',
        { environment, service: 'boxes' },
        { delivery: 'answered', status: 422 },
      );
    }
    const expires = context.clock.now() + lifetime;
    const place = { environment, username, name, version, provider, architecture };
    return {
      path: `${downloadsPath}/${downloadTicket(context.seal, call.session.id, { place, expires })}`,
      filename: boxFile(place),
      size: stored.size,
      expires_time: new Date(expires).toISOString(),
    };
  },
);

export const providerOperations = resource(inBoxes, {
  'boxProviders.get': getRecord(providers),
  'boxProviders.create': createRecord(providers),
  'boxProviders.update': updateRecord(providers),
  'boxProviders.delete': deleteRecord(providers),
  'boxProviders.prepareDownload': prepareBoxDownload,
});
