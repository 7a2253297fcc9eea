import { sendJson } from '@gatehouse/service-kit/http';
import { unprocessable } from '../../domain/refusal.ts';
import { openProvider } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { providerApiUrl } from '../wire/urls.ts';
import { removeImages } from './remove-images.ts';

/** GET …/provider/:provider/upload and …/upload/direct: where to send the image, and for the latter whom to tell then. */
export function prepareUpload(kind: 'plain' | 'direct'): Operation {
  return async (context, req, res) => {
    const { caller, box, version, provider } = openProvider(context, req, 'publish');
    if (version.status === 'revoked') throw unprocessable('Version was revoked: it accepts no more images');
    const now = context.clock.now();
    const { removed } = await context.uploads.removeExpired(now, context.receiving);
    await removeImages(context, removed);
    const upload = await context.uploads.create({
      providerId: provider.id,
      accountId: caller?.account.id ?? '',
      direct: kind === 'direct',
      expirationTime: now + context.addresses.lifetimeMs,
    });
    const api = apiOf(context, req);
    const upload_path = api.publicUrl + context.addresses.make(upload.id, upload.expirationTime);
    if (!upload.direct) {
      sendJson(res, 200, { upload_path });
      return;
    }
    const callback = `${providerApiUrl(api, box, version, provider)}/upload/direct/${upload.id}`;
    sendJson(res, 200, { upload_path, callback });
  };
}
