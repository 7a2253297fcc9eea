/** Downloads of images through the console: streamed, with Range, and without a token in the browser. */
import { pipeline } from 'node:stream/promises';
import { clientLeft } from '@gatehouse/service-kit/http-error';
import { paced } from '@gatehouse/service-kit/slices';
import type { Express, Request, Response } from 'express';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { serviceToken } from '#session/service-token.ts';
import { boxFile, downloadsPath, openTicket } from '#uploads/download-ticket.ts';
import { callAs } from '#upstreams/box-registry/client.ts';
import { fetchImage } from '#upstreams/box-registry/images.ts';
import { authenticate, endWithSession } from './binding.ts';

/** Headers that are passed on to the registry, and back to the browser. */
const asked = ['range', 'if-range'] as const;
const told = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const;

/** Adds the route. */
export function addDownloads(app: Express, context: Context): void {
  app.all(`${downloadsPath}/:ticket`, async (req, res) => {
    if (req.method !== 'GET') {
      throw new ProblemError('method-not-allowed', 'This path only supports GET.', { allow: ['GET'] });
    }
    const site = req.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') {
      throw new ProblemError('origin-refused', 'The request came from another site.');
    }
    await download(context, req, res);
  });
}

async function download(context: Context, req: Request, res: Response): Promise<void> {
  const { session } = await authenticate(req, context);
  const ticket = openTicket(context.seal, session.id, String(req.params['ticket']));
  if (ticket === undefined || ticket.expires <= context.clock.now()) {
    throw new ProblemError('not-found', 'This link has expired. Start the download again.');
  }
  const { place } = ticket;
  const { environment } = place;
  const kept = await serviceToken(context, { params: { environment }, session }, 'boxes');
  const caller = callAs(context.directory.boxes(environment), {
    token: kept.token,
    username: kept.accountId,
    onRefused: () => context.connections.refuse(session.id, environment, 'boxes', kept.tokenId),
  });
  endWithSession(req, res, context);
  const gone = new AbortController();
  res.once('close', () => gone.abort(clientLeft()));
  const { status, headers, body } = await fetchImage(caller, place, pick(req.headers, asked), gone.signal);
  res.writeHead(status, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${boxFile(place).replaceAll(/[^\w.-]/g, '_')}"`,
    'Cache-Control': 'no-store',
    ...pick(headers, told),
  });
  // After the first byte, an error ends the answer early, which its length shows.
  await pipeline(body, paced, res).catch(() => {
    // A pipeline leaves its source open if the client leaves before it begins.
    body.destroy();
    res.destroy();
  });
}

function pick(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
