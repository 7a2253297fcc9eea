/**
 * The page's only way to its server: typed by the contract, but loads only its addresses. Errors that any
 * request may meet are handled here.
 */
import type { EndpointName, EndpointOf } from '@gatehouse/api-types/console/endpoints';
import type { Problem } from '@gatehouse/api-types/console/problem';
import {
  decisionsHeader,
  pollHeader,
  type Address,
  type BodyInputOf,
  type EndpointDefinition,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '@gatehouse/api-types/contract';
import { ApiError, isApiError } from './api-error.ts';
import { apiUrl, type QueryValue } from './api-url.ts';
import { forgetBegun, takeBegun } from './begun.ts';
import { hadSession, interrupt, interruptByPoll, type InterruptionRequest } from './interruptions.ts';
import { hasOwner, pageHeaders, startAnew } from './session.ts';

interface RequestKind {
  readonly accept: string;
  /** Longer than the server takes to answer, or pauses in a stream. Then the connection is dead. */
  readonly silenceMs: number;
}

/** Characters of a body per millisecond on a slow connection: 128 kbit/s. */
const slowestSending = 16;

const jsonRequest: RequestKind = { accept: 'application/json', silenceMs: 90_000 };
const streamRequest: RequestKind = {
  accept: 'application/x-ndjson, application/json',
  silenceMs: 5 * 60_000,
};

type Needs<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : object extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** Decisions in the conflicts that led to a write, for the audit trail: `x-gatehouse-decisions`. */
export interface Decided {
  readonly decisions?: string | undefined;
}

/** Guards a write: the revision that the user saw, and the decisions that led to the write. */
export interface Guard extends Decided {
  readonly revision: string;
}

type CallOptions<E extends EndpointDefinition> = Needs<'params', ParamsOf<E>> &
  Needs<'query', QueryOf<E>> &
  Needs<'body', BodyInputOf<E>> &
  (E extends { guarded: true } ? { revision: string } : { revision?: undefined }) &
  Decided & {
    /** Marks the call as a poll, like `asPoll` marks a signal. */
    poll?: boolean;
    /** How long the console may take to answer, in ms; 90 seconds by default. */
    silenceMs?: number;
    signal?: AbortSignal;
  };

let held: Promise<void> | undefined;

/**
 * Postpones reads while the session is being ended, because they would be refused. Then the page is left;
 * reads are sent only if ending the session failed.
 */
export function holdReads(ending: Promise<unknown>): void {
  held = new Promise((resolve) => {
    ending.catch(() => {
      held = undefined;
      resolve();
    });
  });
}

const pollSignals = new WeakSet<AbortSignal>();

/**
 * Marks requests with `signal` as polls of the page, not actions of the user: they don't keep the session
 * alive, and don't open dialogs, except to sign in.
 */
export function asPoll(signal: AbortSignal): AbortSignal {
  pollSignals.add(signal);
  return signal;
}

function isPoll({ poll, signal }: UntypedOptions): boolean {
  return poll === true || (signal !== undefined && pollSignals.has(signal));
}

/**
 * Calls an operation. If a session, a connection or a confirmation is missing, the user is asked for it in a
 * dialog, and the call is repeated.
 * @throws ApiError with the problem's code; an `AbortError` when `signal` is aborted.
 */
export function call<Name extends EndpointName>(
  address: Address<Name>,
  options: CallOptions<EndpointOf<Name>>,
): Promise<ResponseOf<EndpointOf<Name>>> {
  return callUntyped(address, options as UntypedOptions);
}

/** Like `call`, for operations that the compiler can't determine: the caller names the type of the answer. */
export function callUntyped<Answer>(address: Address, options: UntypedOptions): Promise<Answer> {
  return mending(address, isPoll(options), async () => {
    const { response, body: text } = await send(address, options, jsonRequest, (answer) => answer.text());
    if (response.ok && response.status === 204) return undefined as Answer;
    const answer = parse(text);
    // The server validates its answers against the contract; in tests, all of them.
    if (response.ok && answer !== undefined) return answer as Answer;
    throw problemOf(answer);
  });
}

/** Operations that answer with a stream. */
type StreamName = Extract<EndpointOf<EndpointName>, { readonly stream: true }>['name'];

/** Reads a whole stream, to be saved as a file. @throws like `call` */
export function download<Name extends StreamName>(
  address: Address<Name>,
  options: CallOptions<EndpointOf<Name>>,
): Promise<Blob> {
  return mending(address, false, async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunksOf(await open(address, options as UntypedOptions), options.signal))
      chunks.push(chunk);
    return new Blob(chunks);
  });
}

/** A response that is read as it arrives, and its timeout. */
type Stream = Pick<Awaited<ReturnType<typeof send>>, 'response' | 'silence'>;

async function open(address: Address, options: UntypedOptions): Promise<Stream> {
  const { response, body, silence } = await send(address, options, streamRequest, (answer) =>
    answer.ok ? Promise.resolve('') : answer.text(),
  );
  if (response.ok) return { response, silence };
  throw problemOf(parse(body));
}

/** Leaving the loop early ends the request. */
async function* chunksOf(
  { response, silence }: Stream,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      // Only waiting for the server counts, not handling a chunk.
      const chunk = await silence.over(() => reader?.read());
      if (chunk?.value === undefined) return;
      yield chunk.value;
    }
  } catch (error) {
    if (signal?.aborted === true || isApiError(error)) throw error;
    throw new ApiError(navigator.onLine ? 'unreachable' : 'offline', undefined, { cause: error });
  } finally {
    // No effect if the stream has ended.
    await reader?.cancel().catch(() => undefined);
  }
}

/**
 * Reads a stream line by line. Leaving the loop or aborting `signal` ends the request, and the server stops
 * its work.
 * @throws like `call`; with the code `unreachable` or `offline` if the connection breaks midway
 */
export async function* readLines<Name extends StreamName>(
  address: Address<Name>,
  options: CallOptions<EndpointOf<Name>>,
): AsyncGenerator<ResponseOf<EndpointOf<Name>>, void, void> {
  const stream = await mending(address, false, () => open(address, options as UntypedOptions));
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(stream, options.signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield lineOf<Name>(line);
  }
  if (rest !== '') yield lineOf<Name>(rest);
}

/** The server validates lines like other answers. */
function lineOf<Name extends StreamName>(line: string): ResponseOf<EndpointOf<Name>> {
  const value = parse(line);
  if (value === undefined) throw new ApiError('unreadable');
  return value as ResponseOf<EndpointOf<Name>>;
}

/** Repeats a request as long as the user can supply what it lacks. */
async function mending<Answer>(
  address: Address,
  isPoll: boolean,
  request: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      const answer = await request();
      if (address.anonymous !== true) hadSession();
      return answer;
    } catch (error) {
      const missing = isApiError(error) ? interruptionFor(error, address) : undefined;
      if (missing === undefined) throw error;
      if (missing === 'other-person') return startAnew('/');
      if (isPoll) {
        if (missing.kind === 'signed-out') interruptByPoll(missing);
        throw error;
      }
      if (!(await interrupt(missing))) throw error;
    }
  }
}

/** What the user can supply, or that someone else has signed in; undefined for other failures. */
function interruptionFor(
  error: ApiError,
  address: Address,
): InterruptionRequest | 'other-person' | undefined {
  const { code, problem } = error;
  if (code === 'unauthenticated' && hasOwner() && address.anonymous !== true) {
    const reason = problem?.signedOut ?? 'ended';
    return reason === 'other-person' ? reason : { kind: 'signed-out', reason };
  }
  if (code === 'confirmation-required') {
    const { detail = '', environment = '', service, account } = problem ?? {};
    return { kind: 'confirmation', detail, environment, service, account };
  }
  // For reads, the page offers to connect in place of its content.
  if (code === 'not-connected' && address.method !== 'GET' && problem?.service && problem.environment) {
    return { kind: 'not-connected', environment: problem.environment, service: problem.service };
  }
  return undefined;
}

async function send<Body>(
  address: Address,
  options: UntypedOptions,
  kind: RequestKind,
  read: (response: Response) => Promise<Body>,
): Promise<{ response: Response; body: Body; silence: Silence }> {
  const { params, query, body, revision, decisions, signal, silenceMs = kind.silenceMs } = options;
  const isByItself = isPoll(options);
  const headers: Record<string, string> = { ...pageHeaders(), accept: kind.accept };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (revision !== undefined) headers['if-match'] = `"${revision}"`;
  if (isByItself) headers[pollHeader.name] = pollHeader.value;
  if (decisions !== undefined) headers[decisionsHeader] = decisions;

  const isRead = address.method === 'GET';
  if (held !== undefined && isRead && address.anonymous !== true) await held;
  if (!isRead) forgetBegun();
  const json = body === undefined ? null : JSON.stringify(body);
  // Browsers don't report sent bytes, so a large body extends the timeout as a slow connection needs.
  const silence = watchSilence(silenceMs + (json?.length ?? 0) / slowestSending);
  const ends = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  try {
    const url = apiUrl(address, params, query);
    const begun = isRead && !isByItself ? takeBegun(url) : undefined;
    const answer =
      begun ??
      fetch(url, {
        method: address.method,
        headers,
        body: json,
        signal: ends,
        credentials: 'same-origin',
        redirect: 'error',
      });
    // A request that began earlier doesn't know the signal of this call.
    return await silence.over(() =>
      Promise.race([
        answer.then(async (response) => ({ response, body: await read(response), silence })),
        aborted(ends),
      ]),
    );
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (error instanceof RangeError) throw new ApiError('not-found', undefined, { cause: error });
    throw new ApiError(navigator.onLine ? 'unreachable' : 'offline', undefined, { cause: error });
  }
}

type Silence = ReturnType<typeof watchSilence>;

/** Aborts its signal when a wait lasts longer than `ms`. */
function watchSilence(ms: number) {
  const abort = new AbortController();
  return {
    signal: abort.signal,
    async over<Answer>(wait: () => Answer): Promise<Awaited<Answer>> {
      const timer = setTimeout(() => abort.abort(new DOMException('Nothing came.', 'TimeoutError')), ms);
      try {
        return await wait();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Rejects when the signal is aborted; never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Options of any operation, without the types of its contract: text for the address, JSON for the body. */
interface UntypedOptions {
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, QueryValue>> | undefined;
  body?: unknown;
  revision?: string | undefined;
  decisions?: string | undefined;
  poll?: boolean | undefined;
  silenceMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(answer: unknown): ApiError {
  return isProblem(answer) ? new ApiError(answer.code, answer) : new ApiError('unreadable');
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'requestId' in answer;
}
