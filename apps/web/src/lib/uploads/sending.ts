/**
 * Files that this page sends to the console in chunks, while the user may visit other screens. The console
 * keeps received bytes: after a reload, the user picks the same file again, and only the rest is sent.
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

/** Bytes per request, as in the contract, which the shell doesn't load. */
const chunkBytes = 16 * 1024 * 1024;
/** Interval for showing progress, in ms. */
const showMs = 1000;
/** How long a request may neither send bytes nor be answered, in ms, before it is aborted and retried. */
const silenceMs = 90_000;

export type SendingState =
  | 'sending'
  | 'paused'
  /** Interrupted; resumes automatically or on request. */
  | 'broken'
  | 'refused'
  | 'sent';

export interface Sending {
  /** The upload's ID. */
  readonly id: string;
  readonly state: SendingState;
  /** Bytes handed to the browser, including the current chunk. */
  readonly sent: number;
  readonly size: number;
  readonly samples: RateSamples;
  /** Why it is interrupted or was refused. */
  readonly reason: string | undefined;
}

interface Work {
  readonly upload: TusUpload;
  readonly file: File;
  readonly onChanged: () => void;
  /** Failures since bytes were last accepted. */
  attempt: number;
  /** Bytes that the console has confirmed. */
  accepted: number;
  /** Timer of the next retry; while sending, of the silence limit. */
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

/** All files that this page has sent or is sending, since it was loaded. */
export function useSendings(): readonly Sending[] {
  return useSyncExternalStore(subscribe, currentSendings);
}

export interface SendingOptions {
  readonly id: string;
  /** The upload's path. */
  readonly path: string;
  readonly file: File;
  /** Bytes that the console already has. */
  readonly received: number;
  /** Called when everything has arrived, or the console's state differs from the page's. */
  readonly onChanged: () => void;
}

/** Sends a file from the console's offset. If it is already in progress, it continues. */
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
  // It may have been stopped or paused while the module was fetched.
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
    // Retries are scheduled here.
    retryDelays: null,
    // The console stores the addresses of uploads.
    storeFingerprintForResuming: false,
    headers: pageHeaders(),
    onProgress: (bytes) => {
      sent = bytes;
      watch(id);
      // An interrupted upload moves again. A short rest is handed over at once, without further events.
      if (stateOf(id) === 'broken' || performance.now() - shownAt >= showMs) show();
    },
    onAfterResponse: (_request, response) => {
      watch(id);
      const work = works.get(id);
      const accepted = Number(response.getHeader('Upload-Offset') ?? '');
      // A lost request may have been accepted in part.
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

/** Starts or resumes sending from the console's offset. */
function begin(id: string): void {
  works.get(id)?.upload.start();
  watch(id);
}

/** Fails the current request like a lost connection, unless bytes move within the silence limit. */
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
  // Browsers report a file that has become unreadable like an interrupted connection.
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
    // Like any request, it opens the sign-in dialog, or leaves the page if someone else has signed in.
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

/** The problem's detail in the console's answer. */
function detailOf(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    const detail = typeof answer === 'object' && answer !== null && 'detail' in answer ? answer.detail : '';
    return typeof detail === 'string' && detail !== '' ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** Pauses sending; the console keeps what it has. */
export function pauseSending(id: string): void {
  halt(id);
  put(id, { state: 'paused', samples: [], reason: undefined });
}

/** Resumes a paused or interrupted upload. */
export function resumeSending(id: string): void {
  const work = works.get(id);
  if (work === undefined) return;
  halt(id);
  work.attempt = 0;
  put(id, { state: 'sending', samples: [], reason: undefined });
  begin(id);
}

/** Stops and forgets a file whose upload was canceled or has ended. */
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
