/**
 * The routes of tus 1.0 (creation, termination, expiration) by which a page sends an image. An offset is told only of
 * bytes that are on the disk. Every guard of the API holds for them.
 */
import { endpoints, type EndpointOf } from '@gatehouse/api-types/console/endpoints';
import { pickedFile, tusVersion, uploadsPath } from '@gatehouse/api-types/console/publish-uploads';
import { pollHeader } from '@gatehouse/api-types/contract';
import { HttpError, sendEmpty } from '@gatehouse/service-kit/http';
import type { Express, Request, Response } from 'express';
import { recorded, seen } from '#audit/recording.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { Operations } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import type { ActiveSession } from '#session/session.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import { checkOpen } from '#uploads/runs.ts';
import { UnusableImage } from '#uploads/unusable-image.ts';
import { callerOf, portOf } from './binding.ts';
import type { Guards } from './guards.ts';
import type { Peers } from './peer.ts';
import { validate } from './validate.ts';

/** Bytes that one request may carry: chunks of a page are smaller. */
const longestBody = 64 * 1024 * 1024;
/** How long nothing may come of a body, in milliseconds. */
const idleMs = 60_000;
/** After this time without a byte somebody else may take an upload over, in milliseconds. */
const takeOverMs = 5_000;

/** The operations of the contract that two routes here do too. */
type UploadOperation = 'publishUploads.begin' | 'publishUploads.cancel';

export interface Receiving {
  readonly context: Context;
  readonly guards: Guards;
  readonly peers: Peers;
  readonly operations: Pick<Operations, UploadOperation>;
}

/** One request that writes to an upload. */
interface Writer {
  /** Whether its connection has ended: what it brought is being made durable. */
  readonly isGone: () => boolean;
  readonly abort: () => void;
  readonly done: Promise<void>;
  lastByteAt: number;
}

/** Adds the routes. @returns what waits until nothing is written any more */
export function addUploads(app: Express, parts: Receiving): () => Promise<void> {
  const { context, guards } = parts;
  const writers = new Map<string, Writer>();
  const prepare = async (req: Request, res: Response): Promise<ActiveSession> => {
    res.setHeader('Tus-Resumable', tusVersion);
    res.setHeader('Cache-Control', 'no-store');
    guards.checkOrigin(req);
    const { session } = await context.sessions.resolve(context.cookie.read(req.headers, portOf(req)), {
      activity: req.headers[pollHeader.name] !== pollHeader.value,
    });
    if (session === undefined) throw new ProblemError('unauthenticated', 'Sign in to continue.');
    if (req.method !== 'OPTIONS' && req.headers['tus-resumable'] !== tusVersion) {
      res.setHeader('Tus-Version', tusVersion);
      throw new HttpError(412, 'precondition_failed', `This speaks tus ${tusVersion} alone.`);
    }
    return session;
  };
  const methods = (allow: readonly string[]): ProblemError =>
    new ProblemError('method-not-allowed', `This path answers ${allow.join(', ')} only.`, { allow });

  app.all(uploadsPath, async (req, res) => {
    const session = await prepare(req, res);
    if (req.method === 'OPTIONS') return sendOptions(res);
    if (req.method !== 'POST') throw methods(['OPTIONS', 'POST']);
    await create(parts, session, req, res);
  });
  app.all(`${uploadsPath}/:id`, async (req, res) => {
    const session = await prepare(req, res);
    if (req.method === 'OPTIONS') return sendOptions(res);
    const row = await uploadOf(context, session, req.params['id']);
    switch (req.method) {
      case 'HEAD':
        await context.publishing.takeUp([row], session);
        return sendOffset(res, row, 200);
      case 'PATCH':
        return write(req, res, { context, session, row, writers });
      case 'DELETE':
        return terminate(parts, { session, row }, req, res);
      default:
        throw methods(['DELETE', 'HEAD', 'OPTIONS', 'PATCH']);
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
    throw new ProblemError('not-found', 'There is no such upload, or it was dropped.');
  }
  return row;
}

function sendOptions(res: Response): void {
  res.setHeader('Tus-Version', tusVersion);
  res.setHeader('Tus-Extension', 'creation,termination,expiration');
  sendEmpty(res);
}

function sendOffset(res: Response, row: PublishUploadRow, status: 200 | 204): void {
  res.setHeader('Upload-Offset', String(row.received));
  if (status === 200) res.setHeader('Upload-Length', String(row.size));
  if (row.expires_at !== null) res.setHeader('Upload-Expires', new Date(row.expires_at).toUTCString());
  res.writeHead(status).end();
}

/** Creation: the same as the operation `publishUploads.begin`, which the console's own page uses. */
async function create(parts: Receiving, session: ActiveSession, req: Request, res: Response): Promise<void> {
  const { context } = parts;
  const metadata = readMetadata(req.headers['upload-metadata']);
  const text = (name: string): string => metadata.get(name) ?? '';
  const params = validate('params', endpoints.publishUploads.begin.params, {
    environment: text('environment'),
    run: text('run'),
    provider: text('provider'),
  }) as { readonly environment: string; readonly run: string; readonly provider: string };
  const length = req.headers['upload-length'];
  const body = validate('body', pickedFile, {
    name: text('filename'),
    size: Number(typeof length === 'string' && /^\d{1,15}$/.test(length) ? length : 'none'),
    last_modified: Number(text('last_modified') || '0'),
    fingerprint: text('fingerprint'),
  }) as Parameters<Context['uploads']['begin']>[1];
  const place = { environment: params.environment, personId: session.personId };
  const row = await asOperation(
    parts,
    endpoints.publishUploads.begin,
    { session, params, body, req, res },
    async () => {
      await serviceToken(context, { params, session }, 'boxes');
      const run = await context.runs.get(place, params.run);
      const provider = run?.plan.providers.find(({ id }) => id === params.provider);
      if (run === undefined || provider?.source.kind !== 'image') {
        throw new ProblemError('not-found', 'There is no such run, or none with such an image.');
      }
      checkOpen(run);
      return context.uploads.begin({ ...place, runId: run.id, providerId: provider.id }, body);
    },
  );
  res.setHeader('Location', `${uploadsPath}/${row.id}`);
  if (row.expires_at !== null) res.setHeader('Upload-Expires', new Date(row.expires_at).toUTCString());
  res.writeHead(201, { 'Content-Length': '0' }).end();
}

async function terminate(
  parts: Receiving,
  { session, row }: { readonly session: ActiveSession; readonly row: PublishUploadRow },
  req: Request,
  res: Response,
): Promise<void> {
  const { context } = parts;
  const params = { environment: row.environment, run: row.run_id, provider: row.provider_id };
  await asOperation(
    parts,
    endpoints.publishUploads.cancel,
    { session, params, body: undefined, req, res },
    async () => {
      await context.deliveries.stop(row.id);
      await context.uploads.drop(row.id, 'cancelled');
      return {};
    },
  );
  sendEmpty(res);
}

/** Records what is done as the operation of the contract that does the same. */
function asOperation<Answer>(
  { context, peers, operations }: Receiving,
  endpoint: EndpointOf<UploadOperation>,
  call: {
    readonly session: ActiveSession;
    readonly params: Readonly<Record<string, string>>;
    readonly body: object | undefined;
    readonly req: Request;
    readonly res: Response;
  },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { session, params, body, req, res } = call;
  return recorded(
    context.audit,
    { name: endpoint.name, endpoint, addressOf: operations[endpoint.name].addressOf },
    { params, query: undefined, body, revision: undefined, session, caller: callerOf(req, res, peers) },
    [],
    seen(),
    work,
  ) as Promise<Answer>;
}

interface Writing {
  readonly context: Context;
  readonly session: ActiveSession;
  readonly row: PublishUploadRow;
  readonly writers: Map<string, Writer>;
}

async function write(req: Request, res: Response, writing: Writing): Promise<void> {
  const { context, session, writers } = writing;
  const { id } = writing.row;
  if (req.headers['content-type'] !== 'application/offset+octet-stream') {
    throw new ProblemError(
      'unsupported-media-type',
      'Bytes of an upload are application/offset+octet-stream.',
    );
  }
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (!Number.isInteger(length) || length > longestBody) {
    throw new ProblemError(
      'payload-too-large',
      `One request carries at most ${longestBody} bytes, and says how many.`,
    );
  }
  const before = writers.get(id);
  if (before !== undefined) {
    if (!before.isGone() && context.clock.monotonic() - before.lastByteAt < takeOverMs) {
      throw new HttpError(423, 'locked', 'This file is being sent from another window or browser.');
    }
    before.abort();
    await before.done;
  }
  const finished = Promise.withResolvers<void>();
  const writer: Writer = {
    isGone: () => req.destroyed && !req.complete,
    abort: () => req.destroy(),
    done: finished.promise,
    lastByteAt: context.clock.monotonic(),
  };
  if (writers.has(id))
    throw new HttpError(423, 'locked', 'This file is being sent from another window or browser.');
  writers.set(id, writer);
  let whole = false;
  let answer: PublishUploadRow;
  try {
    // What the one before made durable counts.
    const row = await uploadOf(context, session, id);
    const told = String(req.headers['upload-offset']);
    const offset = /^\d{1,16}$/.test(told) ? Number(told) : undefined;
    if (offset !== row.received || row.state !== 'receiving') {
      throw new ProblemError('conflict', `This upload continues at byte ${row.received}.`);
    }
    if (offset + length > row.size) {
      throw new ProblemError('payload-too-large', `The file has ${row.size} bytes, and not more.`);
    }
    await context.uploads.checkRoom(row, length);
    const { offset: durable, failure } = await context.spool
      .write(id, offset, arriving(req, writer, context))
      .catch(async (error: unknown) => {
        if (error instanceof UnusableImage) await context.uploads.giveUp(id, error);
        req.resume();
        throw error;
      });
    const moved = durable === offset || (await context.uploads.commit(row, durable));
    // Who went away is told nothing; what they sent is kept.
    if (res.destroyed || (req.destroyed && !req.complete)) return;
    if (failure !== undefined) {
      req.resume();
      throw failure;
    }
    if (!moved) throw new ProblemError('conflict', 'This upload was changed meanwhile.');
    whole = durable === row.size;
    answer = { ...row, received: durable };
  } finally {
    writers.delete(id);
    finished.resolve();
  }
  if (whole) await context.publishing.received(id, session);
  sendOffset(res, answer, 204);
}

/** The body of a request as it comes, no longer than it may pause. */
async function* arriving(req: Request, writer: Writer, context: Context): AsyncGenerator<Uint8Array> {
  let timer = setTimeout(() => req.destroy(), idleMs);
  try {
    // When writing fails the request stays open, for the answer that says why.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      writer.lastByteAt = context.clock.monotonic();
      yield chunk;
      timer = setTimeout(() => req.destroy(), idleMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Pairs of a name and a value in base64, as tus writes them. */
function readMetadata(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const text = typeof header === 'string' ? header : '';
  return new Map(
    text.split(',').flatMap((pair): [string, string][] => {
      const [name = '', value = ''] = pair.trim().split(' ');
      return name === '' ? [] : [[name, Buffer.from(value, 'base64').toString('utf8')]];
    }),
  );
}
