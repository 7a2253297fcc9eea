import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sendJson } from '@gatehouse/service-kit/http';
import type { Request, Response } from 'express';

const compress = promisify(brotliCompress);

/** Compresses with gzip. */
export const zip = promisify(gzip);

/** Compresses with brotli. @param quality 0 to 11: smaller and slower */
export function brotli(bytes: Buffer, quality: number): Promise<Buffer> {
  return compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Whether a request's `Accept-Encoding` allows an encoding. Only its first 1,000 characters are read. */
export function accepted(header: string | undefined, encoding: string): boolean {
  return (header ?? '')
    .slice(0, 1000)
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
      return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}

/** Below this size, an answer fits into a packet or two uncompressed. */
const leastBytes = 2048;
/** 120 kB of targets become 6 kB within a millisecond or two. A higher quality would cost more time than it saves. */
const quality = 4;

/**
 * Answers with JSON, compressed if the browser accepts it. Used for lists only: the compressed size depends on the
 * content, so secrets are never sent this way.
 */
export async function sendCompressed(req: Request, res: Response, body: unknown): Promise<void> {
  const text = JSON.stringify(body);
  res.vary('Accept-Encoding');
  if (text.length < leastBytes || !accepted(req.headers['accept-encoding'], 'br')) {
    sendJson(res, 200, text);
    return;
  }
  const bytes = await brotli(Buffer.from(text), quality);
  sendJson(res, 200, bytes, { 'Content-Encoding': 'br' });
}
