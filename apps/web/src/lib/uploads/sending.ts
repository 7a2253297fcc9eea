/**
 * Files that this page sends to the console, chunk by chunk. They go on while one looks at other screens. What was
 * received is kept by the console: after a reload the same file is picked again, and only the rest is sent.
 */
import { session } from '@gatehouse/api-types/console/addresses/session';
import { useSyncExternalStore } from 'react';
import type { Upload as TusUpload } from 'tus-js-client';
import { call } from '../api.ts';
import { mayAskBeforeLeaving } from '../dirty-guard.ts';
import { pageHeaders } from '../session.ts';
import { canRead, changedFileReason } from './readable-file.ts';
import { afterFailure, type SendingAnswer } from './sending-failure.ts';
import { addSample, type RateSamples } from './transfer-rate.ts';

/** Bytes of one request, as the contract has it; a page of the shell does not load the contract for it. */
const chunkBytes = 16 * 1024 * 1024;
/** How often progress is shown, in ms: often enough to follow, seldom enough to be read. */
const showMs = 1000;
/** How long a request may neither send bytes nor be answered, in ms, before it is given up and sent again. */
const silenceMs = 90_000;

export type SendingState =
  | 'sending'
  | 'paused'
  /** Bytes do not arrive for now; it goes on by itself, or when it is told to. */
  | 'broken'
  | 'refused'
  | 'sent';

export interface Sending {
  /** Of the upload. */
  readonly id: string;
  readonly state: SendingState;
  /** Bytes that were handed over, those of the present chunk too. */
  readonly sent: number;
  readonly size: number;
  readonly samples: RateSamples;
  /** Why it is broken or was refused. */
  readonly reason: string | undefined;
}

interface Work {
  readonly upload: TusUpload;
  readonly file: File;
  readonly onChanged: () => void;
  /** How often it failed since bytes were last accepted. */
  attempt: number;
  /** Bytes that the console said it has. */
  accepted: number;
  /** Of the next try; while it sends, of the longest silence. */
  timer: number | undefined;
}

let sendings: readonly Sending[] = [];
const works = new Map<string, Work>();
const listeners = new Set<() => void>();

function change(next: readonly Sending[]): void {
  sendings = next;
  const isAnyUnderWay = next.some(({ state }) => state === 'sending' || state === 'broken');
  if (isAnyUnderWay) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  for (const listener of listeners) listener();
}

function put(id: string, update: Partial<Sending>): void {
  change(sendings.map((sending) => (sending.id === id ? { ...sending, ...update } : sending)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSendings(): readonly Sending[] {
  return sendings;
}

/** All that this page has sent, or is sending, since it was loaded. */
export function useSendings(): readonly Sending[] {
  return useSyncExternalStore(subscribe, currentSendings);
}

export interface SendingOptions {
  readonly id: string;
  /** Path of the upload. */
  readonly path: string;
  readonly file: File;
  /** Bytes that the console has already. */
  readonly received: number;
  /** All is there, or the console says otherwise than this page knew. */
  readonly onChanged: () => void;
}

/** Sends a file, from where the console has it. One that is under way already goes on. */
export async function startSending({ id, path, file, received, onChanged }: SendingOptions): Promise<void> {
  const known = sendings.find((sending) => sending.id === id);
  if (known?.state === 'sending') return;
  if (known?.state === 'paused' || known?.state === 'broken') {
    resumeSending(id);
    return;
  }
  const first: Sending = {
    id,
    state: 'sending',
    sent: received,
    size: file.size,
    samples: [],
    reason: undefined,
  };
  change([...sendings.filter((sending) => sending.id !== id), first]);
  const { Upload } = await import('tus-js-client').catch((error: unknown) => {
    stopSending(id);
    throw error;
  });
  // It may have been stopped, or paused, while that was fetched.
  if (stateOf(id) === undefined) return;
  let sent = received;
  let shownAt = -Infinity;
  const show = (): void => {
    if (stateOf(id) === 'paused') return;
    const now = performance.now();
    shownAt = now;
    const samples = sendings.find((sending) => sending.id === id)?.samples ?? [];
    put(id, { state: 'sending', sent, samples: addSample(samples, now, sent), reason: undefined });
  };
  const upload = new Upload(file, {
    uploadUrl: path,
    chunkSize: chunkBytes,
    // When it is tried again is decided here.
    retryDelays: null,
    // Where an upload is, the console keeps.
    storeFingerprintForResuming: false,
    headers: pageHeaders(),
    onProgress: (bytes) => {
      sent = bytes;
      watch(id);
      // What was interrupted moves again: small rests are handed over at once, and nothing else would tell.
      if (stateOf(id) === 'broken' || performance.now() - shownAt >= showMs) show();
    },
    onAfterResponse: (_request, response) => {
      watch(id);
      const work = works.get(id);
      const accepted = Number(response.getHeader('Upload-Offset') ?? '');
      // Of a request that broke off a part may have been accepted too.
      if (work !== undefined && accepted > work.accepted) Object.assign(work, { accepted, attempt: 0 });
    },
    onSuccess: () => {
      window.clearTimeout(works.get(id)?.timer);
      works.delete(id);
      put(id, { state: 'sent', sent: file.size, reason: undefined });
      onChanged();
    },
    onError: (error) => {
      void fail(id, error);
    },
  });
  works.set(id, { upload, file, onChanged, attempt: 0, accepted: received, timer: undefined });
  if (stateOf(id) === 'sending') begin(id);
}

/** Starts or continues sending, from where the console has it. */
function begin(id: string): void {
  works.get(id)?.upload.start();
  watch(id);
}

/** Fails the request under way, as a lost connection does, unless bytes pass within the limit of silence. */
function watch(id: string): void {
  const work = works.get(id);
  if (work === undefined || stateOf(id) === 'paused') return;
  window.clearTimeout(work.timer);
  work.timer = window.setTimeout(() => {
    void work.upload.abort(false);
    void fail(id, new Error('Nothing was sent or answered.'));
  }, silenceMs);
}

async function fail(id: string, error: Error): Promise<void> {
  const work = works.get(id);
  if (work === undefined) return;
  window.clearTimeout(work.timer);
  const response = 'originalResponse' in error ? error.originalResponse : undefined;
  const answer = answerOf(response);
  // A browser tells a file that it cannot read any more as an interrupted connection.
  const isReadable = answer.status !== 0 || (await canRead(work.file));
  if (works.get(id) !== work || stateOf(id) === 'paused') return;
  const next = isReadable
    ? afterFailure(answer, work.attempt)
    : ({ kind: 'refused', reason: changedFileReason } as const);
  work.attempt += 1;
  if (next.kind === 'refused') {
    works.delete(id);
    put(id, { state: 'refused', samples: [], reason: next.reason });
    work.onChanged();
    return;
  }
  put(id, { state: 'broken', samples: [], reason: next.reason });
  if (next.kind === 'sign-in') {
    // As any request, it asks you to sign in, or leaves the page if someone else has signed in.
    await call(session.get, {}).then(
      () => resumeSending(id),
      () => undefined,
    );
    return;
  }
  work.timer = window.setTimeout(() => {
    begin(id);
  }, next.delayMs);
}

function stateOf(id: string): SendingState | undefined {
  return sendings.find((sending) => sending.id === id)?.state;
}

interface TusResponse {
  getStatus: () => number;
  getHeader: (name: string) => string | undefined;
  getBody: () => string;
}

function isResponse(value: unknown): value is TusResponse {
  return typeof value === 'object' && value !== null && 'getStatus' in value && 'getBody' in value;
}

function answerOf(response: unknown): SendingAnswer {
  if (!isResponse(response)) return { status: 0 };
  const seconds = Number(response.getHeader('Retry-After') ?? '');
  return {
    status: response.getStatus(),
    detail: detailOf(response.getBody()),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  };
}

/** The sentence of a problem that the console answered. */
function detailOf(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    const detail = typeof answer === 'object' && answer !== null && 'detail' in answer ? answer.detail : '';
    return typeof detail === 'string' && detail !== '' ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** Stops sending until it is resumed; what the console has stays there. */
export function pauseSending(id: string): void {
  halt(id);
  put(id, { state: 'paused', samples: [], reason: undefined });
}

/** Goes on with one that was paused or broke off. */
export function resumeSending(id: string): void {
  const work = works.get(id);
  if (work === undefined) return;
  halt(id);
  work.attempt = 0;
  put(id, { state: 'sending', samples: [], reason: undefined });
  begin(id);
}

/** Forgets a file: its upload is dropped, or ended. */
export function stopSending(id: string): void {
  halt(id);
  works.delete(id);
  change(sendings.filter((sending) => sending.id !== id));
}

function halt(id: string): void {
  const work = works.get(id);
  if (work === undefined) return;
  window.clearTimeout(work.timer);
  void work.upload.abort(false);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (mayAskBeforeLeaving()) event.preventDefault();
}

if (typeof window !== 'undefined') {
  window.addEventListener('online', () => {
    for (const { id, state } of sendings) if (state === 'broken') resumeSending(id);
  });
}
