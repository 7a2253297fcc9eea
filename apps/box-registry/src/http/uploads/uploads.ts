import { callerOfToken } from '@gatehouse/service-kit/account-tokens';
import { sendJson, HttpError } from '@gatehouse/service-kit/http';
import { judgedEachSecond, passOver, readBody } from '@gatehouse/service-kit/http-large-body';
import type { Room } from '@gatehouse/service-kit/object-store/object-store';
import { StoreUnavailable } from '@gatehouse/service-kit/store-error';
import { requireInWrites, withoutConditions } from '@gatehouse/service-kit/write-queue';
import type { Request, Response } from 'express';
import type { Provider, StoredImage } from '../../domain/box.ts';
import { defaultChecksumType, type ChecksumType } from '../../domain/checksum.ts';
import { nameKey } from '../../domain/names.ts';
import { notFound, unprocessable, Refusal, forbidden } from '../../domain/refusal.ts';
import { revoked, type Upload } from '../../store/uploads.ts';
import { openVersion, segment, openProvider, actionsIn } from '../access.ts';
import type { Context, Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';
import { providerApiUrl } from '../wire/urls.ts';

/**
 * Deletes unreferenced images. The change that left them is complete, and remaining images only take space until the
 * next start. Stops at the first failure of the store, since the client is waiting.
 */
export async function removeImages(
  { images, log }: Pick<Context, 'images' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  try {
    for (const key of keys) await images.remove(key);
  } catch (error) {
    log.warn('images not removed', { error });
  }
}

/**
 * PUT …/upload/direct/:upload: assigns the received image to the provider. After the answer, clients can download the
 * image. A repeated request gets the same answer.
 */
export const finishUpload: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const upload = context.uploads.get(segment(req, 'upload'));
  if (upload === undefined || !upload.direct) throw notFound();
  const provider = context.providers.get(upload.providerId);
  if (provider?.versionId !== version.id || !isNamed(req, provider)) throw notFound();
  const { removed } = await context.uploads.finish(upload.id, context.clock.now());
  await removeImages(context, removed);
  const current = context.providers.get(provider.id);
  if (current === undefined) throw notFound();
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, current));
};

/**
 * Whether a path names a provider. A path without an architecture matches each provider of the name, since the
 * default may have changed in the meantime.
 */
function isNamed(req: Request, { name, architecture }: Provider): boolean {
  if (nameKey(segment(req, 'provider')) !== nameKey(name)) return false;
  return !('architecture' in req.params) || nameKey(segment(req, 'architecture')) === nameKey(architecture);
}

/**
 * GET …/provider/:provider/upload and …/upload/direct: the URL to send the image to, and for the latter the callback.
 */
export function prepareUpload(kind: 'plain' | 'direct'): Operation {
  return async (context, req, res) => {
    const { caller, box, version, provider } = openProvider(context, req, 'publish');
    if (version.status === 'revoked') throw revoked();
    const now = context.clock.now();
    const { removed } = await context.uploads.removeExpired(now, context.receiving);
    // Expired uploads of others, so the caller doesn't wait for the image store.
    void withoutConditions(() => removeImages(context, removed));
    const upload = await context.uploads.create({
      providerId: provider.id,
      accountId: caller?.account.id ?? '',
      tokenId: caller?.token.id ?? '',
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

/**
 * PUT to an upload URL: receives the raw image, whatever its content type. The URL is the authorization: clients send
 * no token. Keeps the image only if it is complete, durable and matches its provider's checksum.
 */
export const receiveImage: Operation = async (context, req, res) => {
  const id = segment(req, 'upload');
  const verdict = context.addresses.check(id, req.query, context.clock.now());
  if (verdict === 'foreign') throw notFound();
  if (verdict === 'expired') throw forbidden('The upload URL has expired: request a new one');
  const upload = context.uploads.get(id);
  const provider = upload === undefined ? undefined : context.providers.get(upload.providerId);
  if (upload === undefined || provider === undefined) throw notFound();
  // Judged again while the image arrives and when it is kept, since the upload may take hours.
  const judge = (): void => requireUploader(context, upload);
  requireInWrites(judge);
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal('unprocessable', 'The image must be sent without a content encoding');
  const length = Number(req.headers['content-length'] ?? 0);
  if (req.headers['transfer-encoding'] === undefined && length === 0) throw emptyImage();

  context.receiving.add(upload);
  try {
    const checksum = provider.checksum?.type ?? defaultChecksumType;
    const image = await context.imageInTurn(req, upload.accountId, () =>
      receive(context, req, res, checksum, judge),
    );
    await keep(context, upload, image);
  } finally {
    context.receiving.delete(upload);
  }
  sendJson(res, 200, {});
};

/**
 * @throws Refusal `not found` if the provider was deleted, `forbidden` if the token that requested the URL is no longer
 *   valid, or its account may no longer publish there
 */
function requireUploader(context: Context, { tokenId, providerId }: Upload): void {
  const namespace = context.namespaces.ofProvider(providerId);
  if (namespace === undefined) throw notFound();
  const caller = callerOfToken(context.accounts, 'boxes', context.tokens.get(tokenId));
  if (caller === undefined) throw forbidden('The token that requested this upload URL is no longer valid');
  if (!actionsIn(context, caller, namespace).includes('publish'))
    throw forbidden("The account that requested this upload URL can't publish here any more");
}

/** Keeps a received image if it matches its provider; otherwise deletes it. */
async function keep(context: Context, upload: Upload, image: StoredImage): Promise<void> {
  const { id } = upload;
  try {
    if (image.size === 0) throw emptyImage();
    const now = context.clock.now();
    const callbackUntil = now + context.addresses.lifetimeMs;
    const { removed } = await context.uploads.received(id, image, now, callbackUntil);
    await removeImages(context, removed);
  } catch (error) {
    await removeImages(context, [image.key]);
    throw error;
  }
}

async function receive(
  { images, idleDeadlineMs }: Context,
  req: Request,
  res: Response,
  checksum: ChecksumType,
  judge: () => void,
): Promise<StoredImage> {
  let room: Room | undefined;
  try {
    room = await images.reserve(Number(req.headers['content-length'] ?? 0));
    const body = judgedEachSecond(judge, readBody(req, res, idleDeadlineMs));
    return await images.receive(body, checksum, room);
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.reason !== 'full') throw error;
    if (room !== undefined) await passOver(req);
    throw new HttpError(507, 'insufficient_storage', 'There is no space left to store the image', {
      headers: { 'Retry-After': '30' },
      cause: error,
    });
  } finally {
    room?.release();
  }
}

function emptyImage(): Refusal {
  return unprocessable('The image is empty');
}
