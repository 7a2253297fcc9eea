import { sendJson } from '@gatehouse/service-kit/http';
import type { ByteRange } from '@gatehouse/service-kit/object-store/object-store';
import { listText, sendParts } from '@gatehouse/service-kit/parts';
import { openFor, sendWhole } from '@gatehouse/service-kit/send-whole';
import type { Request, Response } from 'express';
import { checksumOf, isUsable, type StoredImage, type Provider } from '../../domain/box.ts';
import { notFound } from '../../domain/refusal.ts';
import { openProvider, openBox } from '../access.ts';
import { whileReadable } from '../boxes/boxes.ts';
import type { Context, Operation } from '../context.ts';
import { downloadUrl } from '../wire/urls.ts';

/**
 * Parses a `Range` header with one range, for `size` bytes. Undefined means the whole image: for several ranges,
 * units other than bytes, and malformed headers (RFC 9110, 14.2).
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=([0-9]*)-([0-9]*)$/i.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * GET /:username/boxes/:name/versions/:version/providers/:provider.box, for the default architecture, and
 * …/providers/:provider/:architecture/vagrant.box: returns the image, or redirects to its URL. Images of unreleased
 * and revoked versions require the right to read private boxes. Counts a download when it begins.
 */
export const downloadImage: Operation = async (context, req, res) => {
  const { version, provider, actions } = openProvider(context, req);
  if (version.status !== 'active' && !actions.includes('read')) throw notFound();
  if (version.status === 'active' && !isUsable(provider)) throw notFound();
  if (provider.url !== null) {
    await count(context, req, provider.id);
    // Encodes what a header can't contain.
    const Location = new URL(provider.url).href;
    res.writeHead(302, { Location, 'Cache-Control': 'no-store', 'Content-Length': 0 });
    res.end();
    return;
  }
  if (provider.image === null) throw notFound();
  await sendImage(context, req, res, provider.image, () => count(context, req, provider.id));
};

async function sendImage(
  context: Context,
  req: Request,
  res: Response,
  image: StoredImage,
  begun: () => Promise<void>,
): Promise<void> {
  // The key always identifies the same bytes: another image of the provider has another key.
  const etag = `"${image.key}"`;
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  const known = ['*', etag, `W/${etag}`];
  if (req.headers['if-none-match']?.split(',').some((tag) => known.includes(tag.trim())) === true) {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  // Ranges are defined only for GET (RFC 9110, 14.2).
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...headers, 'Content-Length': image.size });
    res.end();
    return;
  }
  const { range: asked, 'if-range': ifRange } = req.headers;
  const range = ifRange === undefined || ifRange === etag ? parseRange(asked, image.size) : undefined;
  if (range === 'unsatisfiable') {
    res.writeHead(416, { ...headers, 'Content-Range': `bytes */${image.size}`, 'Content-Length': 0 });
    res.end();
    return;
  }
  const bytes = await openFor(res, context.images, image.key, notFound, range);
  // Resuming an interrupted download isn't another download.
  if (range === undefined || range.start === 0) await begun();
  const length = range === undefined ? image.size : range.end - range.start + 1;
  res.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    'Content-Length': length,
    ...(range !== undefined && { 'Content-Range': `bytes ${range.start}-${range.end}/${image.size}` }),
  });
  const stalled = (): void => {
    res.destroy();
  };
  res.setTimeout(context.idleDeadlineMs, stalled);
  try {
    await sendWhole(bytes, res, length);
  } catch (error) {
    // If the store fails, the body ends early.
    context.log.warn('download aborted', { error });
  }
}

async function count(context: Context, req: Request, providerId: string): Promise<void> {
  if (req.method === 'HEAD') return;
  try {
    await context.providers.countDownload(providerId, context.clock.now());
  } catch (error) {
    // A download doesn't fail if it can't be counted.
    context.log.warn('download not counted', { error });
  }
}

/** GET /api/v1/box/:username/:name/downloads: by day, of the last year. */
export const readDownloads: Operation = (context, req, res) => {
  const { box } = openBox(context, req);
  sendJson(res, 200, { downloads: context.boxes.downloads(box.id) });
};

/**
 * GET /:username/:name and /api/v2/vagrant/:username/:name: the metadata that clients need to download a box. Has
 * only released versions.
 */
export const readMetadata: Operation = (context, req, res, slices) => {
  const { box, actions } = openBox(context, req);
  const publicUrl = context.publicUrl();
  const { name, username, description, shortDescription } = box;
  // Everyone may see the released versions of a public box.
  const needed = box.isPrivate ? actions : [];
  const all = context.versions.ofBox(box.id, ['active'], false);
  const texts = whileReadable(context, req, box, needed, all).map(({ version, status, providers }) => [
    JSON.stringify({
      version,
      status,
      providers: defaultsLast(providers.filter(isUsable)).map((provider) => ({
        name: provider.name,
        architecture: provider.architecture,
        default_architecture: provider.isDefault,
        url: downloadUrl(publicUrl, box, { version }, provider),
        checksum: checksumOf(provider)?.value ?? null,
        checksum_type: checksumOf(provider)?.type ?? null,
      })),
    }),
  ]);
  const fields = { name: `${username}/${name}`, description, short_description: shortDescription };
  // Clients compare the whole content type, so it has no parameters.
  const headers = { 'Content-Type': 'application/json' };
  return sendParts(res, slices, listText(fields, 'versions', texts), headers);
};

/** Puts defaults last: clients without architectures use the last provider of a name. */
function defaultsLast(providers: readonly Provider[]): readonly Provider[] {
  return providers.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault));
}
