import { Worker } from 'node:worker_threads';
import { NoTurn, turns } from '@gatehouse/service-kit/turns';
import { BadArchive, badArchive, ReaderBusy } from './bad-archive.ts';
import { contentOf, mostDeclared } from './content.ts';
import type { ArchiveFiles } from './files.ts';
import type { ModuleContent } from './module-content.ts';

/** Reads what archives declare, in a worker: what makes the parser stop, stops no request. */
export interface ContentReader {
  /**
   * Unpacks or reads an archive when its turn comes; people whose archives wait take turns.
   * @param person whose archive it is
   * @param signal gives up waiting
   * @throws ReaderBusy when too many wait; the reason of the signal; what the work throws
   */
  inTurn<Result>(person: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /**
   * Only within a turn. What cannot be read is a problem of the content.
   * @throws BadArchive for an archive that takes too long, or declares too much
   */
  read(files: ArchiveFiles): Promise<ModuleContent>;
  close(): Promise<void>;
}

/** What `contentReader` may be given. */
export interface ContentReaderOptions {
  /** How long an archive may take, in milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  /** How long an archive may wait for its turn, in milliseconds; 30,000 unless given. */
  readonly waitMs?: number;
  /** How long a worker without work is kept, in milliseconds: the parser holds on to its memory. 10,000 unless given. */
  readonly idleMs?: number;
  /** The worker's file. */
  readonly script?: URL;
}

interface Answer {
  /** Null where it is too much. */
  readonly content: ModuleContent | null;
  /** Whether the worker should not be used again. */
  readonly worn: boolean;
}

/**
 * Archives of one person that may wait, and of all people. Each holds what waits to be unpacked: some 4 MiB where it is
 * streamed, and in the console all of it, 10 MiB beside 14 MiB of base64 at most.
 */
const mostOwn = 24;
const mostWaiting = 96;

/** A reader with one worker, which is started when it is needed and replaced after a crash. */
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
    // What the parser prints when it stops is no part of the log.
    const started = new Worker(script, { stdout: true, stderr: true, env: {} });
    // It may also stop while nobody waits for it.
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
      const { content, worn } = await answerOf((worker ??= start()), files, deadlineMs);
      if (content === null)
        throw badArchive(
          `it declares more than ${mostDeclared / 2 ** 20} MiB as JSON: split it into several modules`,
        );
      if (worn) await stop();
      return content;
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
