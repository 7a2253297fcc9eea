import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Code } from '@connectrpc/connect';
import type { ContextValues } from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import type { UniversalHandlerFn, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { largeBodyBytes } from '@gatehouse/service-kit/body-turns';
import { pieceBound } from '@gatehouse/service-kit/piece-bound';
import { NoTurn } from '@gatehouse/service-kit/turns';
import type { turnsByKey } from '@gatehouse/service-kit/turns';
import { notAdmitted, peerKey } from './admission.ts';
import { mostShortBytes, ownerHeader } from './limits.ts';
import { Replication } from './replication.gen.ts';

interface Call {
  /** By path. */
  readonly handlers: ReadonlyMap<string, UniversalHandlerFn>;
  /** The turns of large messages, by secondary and its owners. */
  readonly inTurn: ReturnType<typeof turnsByKey>;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly values: ContextValues;
  /** Whether the caller is admitted; if not, its message is not read. */
  readonly isAdmitted: boolean;
  /**
   * How long the caller may take to send its message or to read an answer before the call is closed, in milliseconds.
   */
  readonly drainMs: number;
}

/**
 * Answers a call over HTTP/2. Waits until each message was sent before the next is created, and aborts the handler when
 * the caller disconnects, even while it waits. The adapter of the library does neither, and prints errors of
 * interrupted calls.
 */
export async function respond({ handlers, inTurn, stream, headers, values, ...call }: Call): Promise<void> {
  const { isAdmitted, drainMs } = call;
  const gone = new AbortController();
  stream.once('close', () => gone.abort());
  // Errors are reported by the end of the stream.
  stream.on('error', () => undefined);
  try {
    const handler = handlers.get(headers[':path'] ?? '');
    if (handler === undefined) {
      stream.respond({ ':status': 404 }, { endStream: true });
      return;
    }
    if (!isAdmitted) {
      refuse(stream, Code.PermissionDenied, notAdmitted);
      // Closing the stream at once could discard the answer.
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
      await inTurn(id, String(headers[ownerHeader] ?? ''), answer, gone.signal).catch(
        async (error: unknown) => {
          if (!(error instanceof NoTurn)) throw error;
          refuse(stream, Code.ResourceExhausted, 'too many large calls are waiting');
          // Callers read the answer only after they have sent the whole message.
          for await (const chunk of message.rest()) void chunk;
        },
      );
  } catch {
    stream.destroy();
  }
}

/**
 * The only call with large messages. A turn ends with its answer, and the answer to a following secondary never ends.
 */
const forwardPath = `/${Replication.typeName}/${Replication.method.forward.name}`;

/** The maximum number of fields in a message. A forwarded write has ten, and one for each policy. */
const mostFields = 10_000;

/** Whether a message has so many fields that parsing would block other calls. @throws Error if it is malformed */
function hasMoreFields(message: Uint8Array): boolean {
  const reader = new BinaryReader(message);
  for (let count = 0; reader.pos < reader.len; count++) {
    const [, type] = reader.tag();
    // No valid message has groups, which can contain any number of fields.
    if (count === mostFields || type === WireType.StartGroup) return true;
    reader.skip(type);
  }
  return false;
}

/** The length of a message's prefix in bytes: a flag and the message's length. */
const prefixBytes = 5;

/** A call whose message has begun to arrive. */
interface Begun {
  /** The announced length of the message. */
  readonly bytes: number;
  /** The message with its prefix; the remainder is received only on demand. */
  rest(): AsyncGenerator<Buffer>;
}

/** Reads the length of a call's message. @param patienceMs the time limit for the prefix, and again for the message */
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
        // A second message would bypass the turns of large ones.
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

/** Resolves when the stream is writable or closed; closes it if the client stops reading for too long. */
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
