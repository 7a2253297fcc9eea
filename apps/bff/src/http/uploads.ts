/**
 * The route of tus 1.0 (expiration) by which a page sends the bytes of an image. Offsets count only bytes that are on
 * the disk. Uploads are created and dropped by operations of the contract, which require what these changes need.
 */
import { tusVersion, uploadsPath } from '@gatehouse/api-types/console/publish-uploads';
import { objectTurns, type BodyInTurn } from '@gatehouse/service-kit/body-turns';
import { HttpError, sendEmpty } from '@gatehouse/service-kit/http';
import { passOver, readBody } from '@gatehouse/service-kit/http-large-body';
import type { Express, Request, Response } from 'express';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ActiveSession } from '#session/session.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import { UnusableImage } from '#uploads/unusable-image.ts';
import { authenticate, endWithSession } from './binding.ts';
import type { Guards } from './guards.ts';

/** Most bytes of a request. Chunks of a page are smaller. */
const longestBody = 64 * 1024 * 1024;
/** How long a body may stall, in milliseconds. */
const idleMs = 60_000;
/** Time without a byte after which someone else may take an upload over, in milliseconds. */
const takeOverMs = 5_000;
/** Bodies that are received at once, a quarter of them of one account. */
const atOnce = 16;

/** A request that writes to an upload. */
interface Writer {
  /** Whether its connection has ended, and its bytes are being synced. */
  readonly isGone: () => boolean;
  readonly abort: () => void;
  readonly done: Promise<void>;
  lastByteAt: number;
}

/** Adds the route. @returns waits until nothing is being written */
export function addUploads(app: Express, context: Context, guards: Guards): () => Promise<void> {
  const writers = new Map<string, Writer>();
  const inTurn = objectTurns(atOnce, 'upload');
  const prepare = async (req: Request, res: Response): Promise<ActiveSession> => {
    res.setHeader('Tus-Resumable', tusVersion);
    res.setHeader('Cache-Control', 'no-store');
    guards.checkOrigin(req);
    const { session } = await authenticate(req, context);
    if (req.method !== 'OPTIONS' && req.headers['tus-resumable'] !== tusVersion) {
      res.setHeader('Tus-Version', tusVersion);
      throw new HttpError(412, 'precondition_failed', `Only tus ${tusVersion} is supported.`);
    }
    return session;
  };
  app.all(`${uploadsPath}/:id`, async (req, res) => {
    const session = await prepare(req, res);
    if (req.method === 'OPTIONS') return sendOptions(res);
    const row = await uploadOf(context, session, req.params['id']);
    switch (req.method) {
      case 'HEAD':
        await context.publishing.takeUp([row], session);
        return sendOffset(res, row, 200);
      case 'PATCH':
        return write(req, res, { context, session, id: row.id, writers }, inTurn);
      default:
        throw new ProblemError('method-not-allowed', 'This path only supports HEAD, OPTIONS and PATCH.', {
          allow: ['HEAD', 'OPTIONS', 'PATCH'],
        });
    }
  });
  return async () => {
    for (const { abort } of writers.values()) abort();
    await Promise.all([...writers.values()].map(({ done }) => done));
  };
}

async function uploadOf(context: Context, session: ActiveSession, id: string): Promise<PublishUploadRow> {
  const row = await context.uploads.get(id);
  if (
    row === undefined ||
    row.person_id !== session.personId ||
    row.state === 'cancelled' ||
    row.state === 'expired'
  ) {
    throw new ProblemError('not-found', "This upload doesn't exist, or was discarded.");
  }
  return row;
}

function sendOptions(res: Response): void {
  res.setHeader('Tus-Version', tusVersion);
  res.setHeader('Tus-Extension', 'expiration');
  sendEmpty(res);
}

function sendOffset(res: Response, row: PublishUploadRow, status: 200 | 204): void {
  res.setHeader('Upload-Offset', String(row.received));
  if (status === 200) res.setHeader('Upload-Length', String(row.size));
  if (row.expires_at !== null) res.setHeader('Upload-Expires', new Date(row.expires_at).toUTCString());
  res.writeHead(status).end();
}

interface Writing {
  readonly context: Context;
  readonly session: ActiveSession;
  readonly id: string;
  readonly writers: Map<string, Writer>;
}

/** Writes a body to its upload in the account's next turn. It stays unread until then. */
async function write(req: Request, res: Response, writing: Writing, inTurn: BodyInTurn): Promise<void> {
  if (req.headers['content-type'] !== 'application/offset+octet-stream') {
    throw new ProblemError(
      'unsupported-media-type',
      "Send an upload's bytes with the content type application/offset+octet-stream.",
    );
  }
  if (req.headers['content-encoding'] !== undefined)
    throw new ProblemError('unsupported-media-type', "Send an upload's bytes without a Content-Encoding.");
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (!Number.isInteger(length) || length > longestBody) {
    throw new ProblemError(
      'payload-too-large',
      `A request body can be at most ${longestBody} bytes and must have a Content-Length header.`,
    );
  }
  // Before the turn: a request without a connection may have it.
  await takeOver(writing);
  endWithSession(req, res, writing.context);
  await inTurn(req, writing.session.account, () =>
    receive(req, res, writing, length).catch(async (error: unknown) => {
      // Browsers only look for an answer after sending the whole body.
      await passOver(req);
      throw error;
    }),
  );
}

/** Ends the request that writes to the upload, if it stalls. @throws HttpError 423 `locked` if it doesn't */
async function takeOver({ context, id, writers }: Writing): Promise<void> {
  const before = writers.get(id);
  if (before === undefined) return;
  if (!before.isGone() && context.clock.monotonic() - before.lastByteAt < takeOverMs) throw locked();
  before.abort();
  await before.done;
}

function locked(): HttpError {
  return new HttpError(423, 'locked', 'This file is being sent from another window or browser.');
}

async function receive(req: Request, res: Response, writing: Writing, length: number): Promise<void> {
  const { context, session, id, writers } = writing;
  await takeOver(writing);
  const finished = Promise.withResolvers<void>();
  const writer: Writer = {
    isGone: () => req.destroyed && !req.complete,
    abort: () => req.destroy(),
    done: finished.promise,
    lastByteAt: context.clock.monotonic(),
  };
  if (writers.has(id)) throw locked();
  writers.set(id, writer);
  let whole = false;
  let answer: PublishUploadRow;
  try {
    // The bytes that the previous request has synced count.
    const row = await uploadOf(context, session, id);
    const told = String(req.headers['upload-offset']);
    const offset = /^\d{1,16}$/.test(told) ? Number(told) : undefined;
    if (offset !== row.received || row.state !== 'receiving') {
      throw new ProblemError(
        'conflict',
        `The console already has ${row.received} of the ${row.size} bytes. Send only the rest.`,
      );
    }
    if (offset + length > row.size) {
      throw new ProblemError('payload-too-large', `The file has only ${row.size} bytes.`);
    }
    await context.uploads.checkRoom(row, length);
    const { offset: durable, failure } = await context.spool
      .write(id, offset, arriving(req, res, writer, context))
      .catch(async (error: unknown) => {
        throw error instanceof UnusableImage ? await context.uploads.missing(id, error) : error;
      });
    const moved = durable === offset || (await context.uploads.commit(row, durable));
    // A client that has left gets no answer; its bytes are kept.
    if (res.destroyed || (req.destroyed && !req.complete)) return;
    if (failure !== undefined) throw failure;
    if (!moved)
      throw new ProblemError('conflict', 'Another request changed this upload. Read its offset again.');
    whole = durable === row.size;
    answer = { ...row, received: durable };
  } finally {
    writers.delete(id);
    finished.resolve();
  }
  if (whole) await context.publishing.received(id, session);
  sendOffset(res, answer, 204);
}

/** The body of a request as it arrives. */
async function* arriving(
  req: Request,
  res: Response,
  writer: Writer,
  context: Context,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of readBody(req, res, idleMs)) {
    writer.lastByteAt = context.clock.monotonic();
    yield chunk;
  }
}
