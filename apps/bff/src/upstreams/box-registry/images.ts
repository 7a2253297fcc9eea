/** Sends images to the registry, and fetches them. */
import { preparedUpload } from '@gatehouse/api-types/services/box-registry';
import { buildPath } from '../path.ts';
import { errorOf } from '../registry-error.ts';
import { rateLimited, ServiceError } from '../service-error.ts';
import { providerPath, type ProviderPlace } from './boxes.ts';
import type { BoxesCaller } from './client.ts';
import { spokenVersion } from './spoken-version.ts';
import type { Answered, Download, TransferPlace } from './transfers.ts';

/** Where to send an image, and the call that completes the upload; null if none is needed. */
export interface PreparedUpload {
  readonly to: TransferPlace;
  readonly callback: TransferPlace | null;
}

/** Requests a new upload address. @throws ServiceError */
export async function prepareUpload(
  caller: BoxesCaller,
  at: ProviderPlace,
  way: 'plain' | 'direct',
): Promise<PreparedUpload> {
  const path = await providerPath(caller, at, ...(way === 'direct' ? ['upload', 'direct'] : ['upload']));
  const wire = await caller.transport.parse(preparedUpload, await caller.send({ method: 'GET', path }));
  const { transfers } = caller.registry;
  const callback = wire.callback === undefined ? null : transfers.placeOf(wire.callback);
  // The callback is sent the user's token, so it must be at the registry itself.
  if (callback !== null && !callback.own) {
    throw refused(caller, "The box registry returned a callback address that isn't its own.");
  }
  return { to: transfers.placeOf(wire.upload_path), callback };
}

/**
 * Sends an image in one request, and completes the upload if the registry requires it. The upload address isn't sent
 * the user's token.
 * @throws ServiceError for an answer of 300 or more; the connection's error otherwise
 */
export async function sendImage(
  caller: BoxesCaller,
  { to, callback }: PreparedUpload,
  {
    beforeCallback,
    ...image
  }: {
    readonly length: number;
    readonly body: AsyncIterable<Uint8Array>;
    /** Called before the upload is completed. If it throws, the registry doesn't get the image. */
    readonly beforeCallback: () => Promise<void>;
  },
  signal: AbortSignal,
): Promise<void> {
  const { transfers } = caller.registry;
  const sent = await transfers.put(to, { ...image, signal });
  if (sent.status >= 300) throw to.own ? refusedImage(caller, sent) : refusedBy(caller, sent);
  if (callback === null) return;
  await beforeCallback();
  const finished = await transfers.put(callback, {
    length: 0,
    body: null,
    headers: { authorization: `Bearer ${caller.token}` },
    signal,
  });
  if (finished.status >= 300) throw refusedImage(caller, finished);
}

/** Fetches an image that the registry stores, or a part of it with a Range header. @throws ServiceError */
export async function fetchImage(
  caller: BoxesCaller,
  { username, name, version, provider, architecture }: ProviderPlace,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Download> {
  const { registry, token, username: owner } = caller;
  const file =
    (await spokenVersion(caller)) === 'v1' ? [`${provider}.box`] : [provider, architecture, 'vagrant.box'];
  const path = buildPath('', [username, 'boxes', name, 'versions', version, 'providers', ...file]);
  const url = registry.transfers.own(path);
  const place = registry.transfers.placeOf(url.href);
  let found = await registry.transfers.get(place, {
    owner,
    headers: { ...headers, authorization: `Bearer ${token}` },
    signal,
  });
  const location = found.headers['location'];
  // A registry with an object store redirects to it. One redirect is followed, without the token.
  if (found.status >= 300 && found.status < 400 && typeof location === 'string') {
    found.body.on('error', () => undefined).destroy();
    const next = registry.transfers.placeOf(URL.canParse(location, url) ? new URL(location, url).href : '');
    found = await registry.transfers.get(next, { owner, headers, signal });
  }
  if (found.status >= 300 && found.status !== 416 && found.status !== 304) {
    found.body.on('error', () => undefined).destroy();
    throw errorOf({ status: found.status }, caller.transport);
  }
  return found;
}

function refused({ transport: { environment, service } }: BoxesCaller, detail: string): ServiceError {
  return new ServiceError(
    'bad-answer',
    detail,
    { environment, service },
    { delivery: 'answered', status: 200 },
  );
}

/** The error for a refused image. The registry's own reason isn't passed on. */
function refusedImage({ transport, registry }: BoxesCaller, { status, headers }: Answered): ServiceError {
  if (status === 429) return rateLimited(transport, headers['retry-after'], registry.clock.now());
  if (status !== 400 && status !== 409 && status !== 422) return errorOf({ status }, transport);
  const { environment, service } = transport;
  return new ServiceError(
    'invalid-request',
    "The box registry refused the image and kept none of it. Compare the provider's checksum in the registry with the file's, then deliver the image again.",
    { environment, service },
    { delivery: 'answered', status },
  );
}

function refusedBy({ transport, registry }: BoxesCaller, { status, headers }: Answered): ServiceError {
  // An object store answers 503 instead of 429.
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined))
    return rateLimited(transport, headers['retry-after'], registry.clock.now());
  const { environment, service } = transport;
  return new ServiceError(
    'bad-answer',
    `The box registry's object store refused the image (status ${status}).`,
    { environment, service },
    { delivery: 'answered', status },
  );
}
