import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ContextValues } from '@connectrpc/connect';
import type { UniversalHandlerFn, UniversalServerResponse } from '@connectrpc/connect/protocol';

/** One call. */
interface Call {
  /** By their paths. */
  readonly handlers: ReadonlyMap<string, UniversalHandlerFn>;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly values: ContextValues;
  /** Milliseconds that the caller may take to read what was sent before its call is broken off. */
  readonly drainMs: number;
}

/**
 * Answers a call over HTTP/2. The next message is made once the one before has left, and when the caller goes, whoever
 * makes them is told, even in the middle of waiting; the library's own adapter does neither, and prints what was cut.
 */
export async function respond({ handlers, stream, headers, values, drainMs }: Call): Promise<void> {
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
    const response = await handler({
      httpVersion: '2.0',
      url: `https://${headers[':authority'] ?? ''}${headers[':path'] ?? ''}`,
      method: headers[':method'] ?? '',
      header: webHeaders(headers),
      body: stream.iterator({ destroyOnReturn: false }),
      signal: gone.signal,
      contextValues: values,
    });
    await send(stream, response, drainMs);
  } catch {
    stream.destroy();
  }
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
