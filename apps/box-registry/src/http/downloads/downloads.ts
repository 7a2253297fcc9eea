import { type ByteRange, ObjectMissing } from '@gatehouse/service-kit/object-store/object-store';
import { sendWhole } from '@gatehouse/service-kit/send-whole';
import type { Request, Response } from 'express';
import { isUsable, type StoredImage, type Provider } from '../../domain/box.ts';
import { notFound } from '../../domain/refusal.ts';
import { openProvider, openBox } from '../access.ts';
import type { Context, Operation } from '../context.ts';
import { listText, sendParts } from '../parts.ts';
import { downloadUrl } from '../wire/urls.ts';

/**
 * The one range that a `Range` header asks for, within `size` bytes. Undefined: the whole image is answered, as for
 * several ranges, for units that are not bytes and for what is not well-formed (RFC 9110, 14.2).
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
 * GET /:username/boxes/:name/versions/:version/providers/:provider.box, of the default architecture, and
 * …/providers/:provider/:architecture/vagrant.box: the image, or a redirect to where it is. Of a version that is not
 * released it is for those alone who see private boxes. A download is counted when it begins.
 */
export const downloadImage: Operation = async (context, req, res) => {
  const { version, provider, actions } = openProvider(context, req);
  if (version.status !== 'active' && !actions.includes('read')) throw notFound();
  if (version.status === 'active' && !isUsable(provider)) throw notFound();
  if (provider.url !== null) {
    await count(context, req, provider.id);
    res.writeHead(302, { Location: provider.url, 'Cache-Control': 'no-store', 'Content-Length': 0 });
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
  // The key names these bytes for ever: another image of the provider has another one.
  const etag = `"${image.key}"`;
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  // A range is of GET only (RFC 9110, 14.2).
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
  const bytes = await open(context, image, range);
  // The rest of a broken download is not another one.
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
    // A store that broke shows as a body that ends early.
    context.log.warn('download aborted', { error });
  }
}

async function open(context: Context, image: StoredImage, range: ByteRange | undefined) {
  try {
    return await context.images.read(image.key, range);
  } catch (error) {
    // Replaced or deleted since it was looked up.
    if (error instanceof ObjectMissing) throw notFound();
    throw error;
  }
}

async function count(context: Context, req: Request, providerId: string): Promise<void> {
  if (req.method === 'HEAD') return;
  try {
    await context.providers.countDownload(providerId);
  } catch (error) {
    // A download does not fail because it cannot be counted.
    context.log.warn('download not counted', { error });
  }
}

/** GET /:username/:name and /api/v2/vagrant/:username/:name: what a client needs to fetch a box. Released versions alone. */
export const readMetadata: Operation = (context, req, res, slices) => {
  const { box } = openBox(context, req);
  const publicUrl = context.publicUrl();
  const { name, username, description, shortDescription } = box;
  const texts = context.versions.ofBox(box.id, ['active'], false).map(({ version, status, providers }) => [
    JSON.stringify({
      version,
      status,
      providers: defaultsLast(providers.filter(isUsable)).map((provider) => ({
        name: provider.name,
        architecture: provider.architecture,
        default_architecture: provider.isDefault,
        url: downloadUrl(publicUrl, box, { version }, provider),
        checksum: provider.checksum?.value ?? null,
        checksum_type: provider.checksum?.type ?? null,
      })),
    }),
  ]);
  const fields = { name: `${username}/${name}`, description, short_description: shortDescription };
  // Clients look at the type, and do not know parameters of it.
  const headers = { 'Content-Type': 'application/json' };
  return sendParts(res, slices, listText(fields, 'versions', texts), headers);
};

/** Clients that know no architectures take the last provider of a name. */
function defaultsLast(providers: readonly Provider[]): readonly Provider[] {
  return providers.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault));
}
