import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Code } from '@connectrpc/connect';
import type { ContextValues } from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import type { UniversalHandlerFn, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { largeBodyBytes } from '@gatehouse/service-kit/body-turns';
import { pieceBound } from '@gatehouse/service-kit/piece-bound';
import { NoTurn } from '@gatehouse/service-kit/turns';
import type { InTurn } from '@gatehouse/service-kit/turns';
import { notAdmitted, peerKey } from './admission.ts';
import { mostShortBytes } from './limits.ts';
import { Replication } from './replication.gen.ts';

/** One call. */
interface Call {
  /** By their paths. */
  readonly handlers: ReadonlyMap<string, UniversalHandlerFn>;
  /** The turns of large messages, by their senders. */
  readonly inTurn: InTurn;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly values: ContextValues;
  /** Whether the caller may call: nothing of others is read. */
  readonly isAdmitted: boolean;
  /** Milliseconds that the caller may take to send its message, or to read what was sent, before its call is broken off. */
  readonly drainMs: number;
}

/**
 * Answers a call over HTTP/2. The next message is made once the one before has left, and when the caller goes, whoever
 * makes them is told, even in the middle of waiting; the library's own adapter does neither, and prints what was cut.
 */
export async function respond({ handlers, inTurn, stream, headers, values, ...call }: Call): Promise<void> {
  const { isAdmitted, drainMs } = call;
  const gone = new AbortController();
  stream.once('close', () => gone.abort());
  // What broke shows as the stream's end.
  stream.on('error', () => undefined);
  try {
    const handler = handlers.get(headers[':path'] ?? '');
    if (handler === undefined) {
      stream.respond({ ':status': 404 }, { endStream: true });
      return;
    }
    if (!isAdmitted) {
      refuse(stream, Code.PermissionDenied, notAdmitted);
      // Closed at once, it would take the answer away.
      const late = setTimeout(() => stream.destroy(), drainMs);
      stream.once('close', () => clearTimeout(late)).resume();
      return;
    }
    const message = await begun(stream, drainMs);
    const answer = async (): Promise<void> => {
      const whole = Buffer.concat(await Array.fromAsync(message.rest()));
      if (hasMoreFields(whole.subarray(prefixBytes))) {
        stream.destroy();
        return;
      }
      const response = await handler({
        httpVersion: '2.0',
        url: `https://${headers[':authority'] ?? ''}${headers[':path'] ?? ''}`,
        method: headers[':method'] ?? '',
        header: webHeaders(headers),
        body: createAsyncIterable([whole]),
        signal: gone.signal,
        contextValues: values,
      });
      await send(stream, response, drainMs);
    };
    const { id = '' } = values.get(peerKey);
    const mayBeLarge = headers[':path'] === forwardPath;
    if (message.bytes <= (mayBeLarge ? largeBodyBytes : mostShortBytes)) await answer();
    else if (!mayBeLarge) stream.destroy();
    else
      await inTurn(id, answer, gone.signal).catch(async (error: unknown) => {
        if (!(error instanceof NoTurn)) throw error;
        refuse(stream, Code.ResourceExhausted, 'too many large calls are waiting');
        // Callers send all of it before they look for an answer.
        for await (const chunk of message.rest()) void chunk;
      });
  } catch {
    stream.destroy();
  }
}

/** The only call with large messages: its turn ends with its answer, which that of a secondary that follows never does. */
const forwardPath = `/${Replication.typeName}/${Replication.method.forward.name}`;

/** Most fields of a message: a write that is passed on has ten, and one for each policy. */
const mostFields = 10_000;

/** Whether a message has so many fields that reading it would hold everybody up. @throws Error where it is none */
function hasMoreFields(message: Uint8Array): boolean {
  const reader = new BinaryReader(message);
  for (let count = 0; reader.pos < reader.len; count++) {
    const [, type] = reader.tag();
    // No message has groups, in which there may be any number of others.
    if (count === mostFields || type === WireType.StartGroup) return true;
    reader.skip(type);
  }
  return false;
}

/** Bytes before a message: a flag, and how long it is. */
const prefixBytes = 5;

/** A call whose message has begun to arrive. */
interface Begun {
  /** Of the message, as announced. */
  readonly bytes: number;
  /** The message with its prefix, of which no more is received before. */
  rest(): AsyncGenerator<Buffer>;
}

/** Reads how long a call's message is. @param patienceMs how long that may take, and the message itself again */
async function begun(stream: ServerHttp2Stream, patienceMs: number): Promise<Begun> {
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const deadline = (): NodeJS.Timeout => setTimeout(() => stream.destroy(), patienceMs);
  const timer = deadline();
  let head: Buffer = Buffer.alloc(0);
  try {
    while (head.length < prefixBytes) {
      const next = await chunks.next();
      if (next.done === true) break;
      head = Buffer.concat([head, next.value]);
    }
  } finally {
    clearTimeout(timer);
  }
  const bytes = head.length < prefixBytes ? 0 : head.readUInt32BE(1);
  return {
    bytes,
    async *rest() {
      let lacking = prefixBytes + bytes;
      const mayCome = pieceBound();
      const late = deadline();
      const counted = (chunk: Buffer): Buffer => {
        lacking -= chunk.length;
        if (lacking <= 0) clearTimeout(late);
        // Another message would have no turn, however large it is.
        if (lacking < 0 || !mayCome(chunk.length)) stream.destroy();
        return chunk;
      };
      try {
        yield counted(head);
        for await (const chunk of chunks) yield counted(chunk);
      } finally {
        clearTimeout(late);
      }
    },
  };
}

function refuse(stream: ServerHttp2Stream, code: Code, message: string): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': String(code),
      'grpc-message': message,
    },
    { endStream: true },
  );
}

async function send(
  stream: ServerHttp2Stream,
  { status, header, body, trailer }: UniversalServerResponse,
  drainMs: number,
): Promise<void> {
  const begin = (): void => {
    stream.respond({ ':status': status, ...nodeHeaders(header) }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(nodeHeaders(trailer)));
  };
  for await (const chunk of body ?? []) {
    if (stream.destroyed) return;
    if (!stream.headersSent) begin();
    if (!stream.write(chunk)) await drained(stream, drainMs);
  }
  if (stream.destroyed) return;
  if (!stream.headersSent) begin();
  stream.end();
}

/** Resolves once more can be written, or nothing any more: who reads nothing for too long is let go. */
function drained(stream: ServerHttp2Stream, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.destroy(), drainMs);
    const done = (): void => {
      clearTimeout(timer);
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
    if (stream.destroyed) done();
  });
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(':') && typeof value === 'string') result.set(name, value);
  }
  return result;
}

function nodeHeaders(headers: Headers | undefined): OutgoingHttpHeaders {
  return Object.fromEntries(headers ?? []);
}
