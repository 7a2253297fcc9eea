import { Worker } from 'node:worker_threads';
import { NoTurn, turns } from '@gatehouse/service-kit/turns';
import { BadArchive, badArchive, ReaderBusy } from './bad-archive.ts';
import { contentOf } from './content.ts';
import type { ArchiveFiles } from './files.ts';
import type { ModuleContent } from './module-content.ts';

/** Reads the content of archives in a worker, so that a crash or hang of the parser affects no other request. */
export interface ContentReader {
  /**
   * Runs `work`, which unpacks or reads an archive, in the person's next turn.
   * @param person the archive's sender
   * @param signal cancels the wait
   * @throws ReaderBusy when too many archives wait; the signal's reason; errors of `work`
   */
  inTurn<Result>(person: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /**
   * Reads an archive. Only call within a turn. Files that can't be read become problems of the content.
   * @throws BadArchive for an archive that takes too long or too much memory, or declares too much
   */
  read(files: ArchiveFiles): Promise<ModuleContent>;
  close(): Promise<void>;
}

export interface ContentReaderOptions {
  /** Longest time to read an archive, in milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  /** Longest wait of an archive for its turn, in milliseconds; 30,000 unless given. */
  readonly waitMs?: number;
  /**
   * How long an idle worker is kept, in milliseconds; 10,000 unless given. It is stopped because the parser doesn't
   * release its memory.
   */
  readonly idleMs?: number;
  /** The worker's file; replaced in tests. */
  readonly script?: URL;
}

type Answer =
  | {
      readonly content: ModuleContent;
      /** Whether to replace the worker. */
      readonly worn: boolean;
    }
  /** Why the archive is refused. */
  | { readonly refused: string };

/**
 * Waiting archives per user and in total. Each holds the bytes to unpack: about 4 MiB if streamed; in the console the
 * whole archive, at most 10 MiB plus 14 MiB of base64.
 */
const mostOwn = 24;
const mostWaiting = 96;

/** Creates a reader with one worker, which is started on demand and replaced after a crash. */
export function contentReader(options: ContentReaderOptions = {}): ContentReader {
  const { deadlineMs = 10_000, waitMs = 30_000, idleMs = 10_000 } = options;
  const script = options.script ?? new URL('./content-worker.ts', import.meta.url);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const take = turns({ atOnce: 1, mostOwn, mostWaiting, waitMs });
  const busy = {
    own: `${mostOwn} of your archives are waiting to be read. Send this one when they are done`,
    all: 'Too many archives are waiting to be read. Send this one again in a minute',
    late: `The archive waited ${waitMs / 1000} seconds to be read. Send it again in a minute`,
  };
  const pending = new Set<Promise<unknown>>();

  const start = (): Worker => {
    // What the parser prints when it crashes doesn't belong in the log.
    const started = new Worker(script, { stdout: true, stderr: true, env: {} });
    // The worker may also crash while no archive is being read.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };

  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };

  const read = async (files: ArchiveFiles): Promise<ModuleContent> => {
    clearTimeout(idle);
    try {
      const answer = await answerOf((worker ??= start()), files, deadlineMs);
      if ('refused' in answer) throw badArchive(answer.refused);
      if (answer.worn) await stop();
      return answer.content;
    } catch (error) {
      await stop();
      if (error instanceof BadArchive) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return contentOf(files, new Map(), [{ path: '', message: `The archive could not be read: ${why}` }]);
    } finally {
      idle = setTimeout(() => void stop(), idleMs);
      idle.unref();
      worker?.unref();
    }
  };

  const workInTurn: ContentReader['inTurn'] = async (person, work, signal) => {
    try {
      return await take(person, work, signal);
    } catch (error) {
      throw error instanceof NoTurn ? new ReaderBusy(busy[error.reason], error.reason === 'own') : error;
    }
  };

  return {
    async inTurn(person, work, signal) {
      const working = workInTurn(person, work, signal);
      pending.add(working);
      try {
        return await working;
      } finally {
        pending.delete(working);
      }
    },
    read,
    async close() {
      await Promise.allSettled(pending);
      await stop();
    },
  };
}

async function answerOf(worker: Worker, files: ArchiveFiles, deadlineMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stopped = (): void => reject(new Error('the parser stopped'));
  const deadline = setTimeout(
    () =>
      reject(
        badArchive(
          `its .tf files take longer than ${deadlineMs / 1000} seconds to read: make them smaller or simpler`,
        ),
      ),
    deadlineMs,
  );
  worker.ref();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', stopped);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(files);
    return await promise;
  } finally {
    clearTimeout(deadline);
    worker.off('message', resolve);
    worker.off('error', reject);
    worker.off('exit', stopped);
  }
}
