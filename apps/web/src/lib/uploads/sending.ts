/**
 * Files that this page sends to the console, chunk by chunk. They go on while one looks at other screens. What was
 * received is kept by the console: after a reload the same file is picked again, and only the rest is sent.
 */
import { consoleHeader } from '@gatehouse/api-types/contract';
import { useSyncExternalStore } from 'react';
import type { Upload as TusUpload } from 'tus-js-client';
import { mayAskBeforeLeaving } from '../dirty-guard.ts';
import { interrupt } from '../interruptions.ts';
import { addSample, type RateSamples } from './transfer-rate.ts';

/** Bytes of one request, as the contract has it; a page of the shell does not load the contract for it. */
const chunkBytes = 16 * 1024 * 1024;
const retryDelaysMs = [0, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000];

export type SendingState =
  | 'sending'
  | 'paused'
  /** The connection is gone; it goes on by itself when it is back, or when it is told to. */
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

let sendings: readonly Sending[] = [];
const uploads = new Map<string, TusUpload>();
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
  const { Upload } = await import('tus-js-client');
  const upload = new Upload(file, {
    uploadUrl: path,
    chunkSize: chunkBytes,
    retryDelays: retryDelaysMs,
    // Where an upload is, the console keeps.
    storeFingerprintForResuming: false,
    headers: { [consoleHeader.name]: consoleHeader.value },
    onProgress: (sent) => {
      const samples = sendings.find((sending) => sending.id === id)?.samples ?? [];
      put(id, { sent, samples: addSample(samples, performance.now(), sent), reason: undefined });
    },
    onSuccess: () => {
      uploads.delete(id);
      put(id, { state: 'sent', sent: file.size });
      onChanged();
    },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      return status === 0 || status === 409 || status === 423 || status === 429 || status === 503;
    },
    onError: (error) => {
      fail(id, error, onChanged);
    },
  });
  uploads.set(id, upload);
  upload.start();
}

function fail(id: string, error: Error, onChanged: () => void): void {
  const response = 'originalResponse' in error ? error.originalResponse : undefined;
  const status = isResponse(response) ? response.getStatus() : 0;
  if (status === 401) {
    put(id, { state: 'broken', reason: 'You are signed out.' });
    void interrupt({ kind: 'signed-out', reason: 'ended' }).then((isMended) => {
      if (isMended) resumeSending(id);
    });
    return;
  }
  if (status === 0) {
    put(id, { state: 'broken', samples: [], reason: 'The connection to the console is interrupted.' });
    return;
  }
  uploads.delete(id);
  put(id, { state: 'refused', samples: [], reason: detailOf(response) ?? error.message });
  onChanged();
}

interface TusResponse {
  getStatus: () => number;
  getBody: () => string;
}

function isResponse(value: unknown): value is TusResponse {
  return typeof value === 'object' && value !== null && 'getStatus' in value && 'getBody' in value;
}

/** The sentence of a problem that the console answered. */
function detailOf(response: unknown): string | undefined {
  if (!isResponse(response)) return undefined;
  try {
    const answer: unknown = JSON.parse(response.getBody());
    const detail = typeof answer === 'object' && answer !== null && 'detail' in answer ? answer.detail : '';
    return typeof detail === 'string' && detail !== '' ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** Stops sending until it is resumed; what the console has stays there. */
export function pauseSending(id: string): void {
  void uploads.get(id)?.abort(false);
  put(id, { state: 'paused', samples: [] });
}

/** Goes on with one that was paused or broke off. */
export function resumeSending(id: string): void {
  const upload = uploads.get(id);
  if (upload === undefined) return;
  put(id, { state: 'sending', samples: [], reason: undefined });
  upload.start();
}

/** Forgets a file: its upload is dropped, or ended. */
export function stopSending(id: string): void {
  void uploads.get(id)?.abort(false);
  uploads.delete(id);
  change(sendings.filter((sending) => sending.id !== id));
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (mayAskBeforeLeaving()) event.preventDefault();
}

if (typeof window !== 'undefined') {
  window.addEventListener('online', () => {
    for (const { id, state } of sendings) if (state === 'broken') resumeSending(id);
  });
}
