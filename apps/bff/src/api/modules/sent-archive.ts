import { archiveLimitBytes } from '@gatehouse/api-types/console/modules';
import { BadArchive, ReaderBusy } from '@gatehouse/module-archive/bad-archive';
import { archiveBounds } from '@gatehouse/module-archive/read-archive';
import { ProblemError } from '#ground/problem.ts';
import type { ArchiveReader } from '#upstreams/module-registry/archives.ts';
import { aboutOf, type ModulesCaller } from '#upstreams/module-registry/client.ts';
import { requirePublisher } from '#upstreams/module-registry/management.ts';

/** Bounds of archives that are sent through the console. */
export const sentBounds = { ...archiveBounds, sentBytes: archiveLimitBytes };

/**
 * Works on an archive that a person sent who may publish it.
 * @param signal aborted when they leave
 * @throws ServiceError as `requirePublisher`; ProblemError `invalid-request` with the reason beside the field when it is
 * no module's, `rate-limited` or `service-unavailable` while too many wait to be read
 */
export async function withArchive<Result>(
  caller: ModulesCaller,
  base64: string,
  signal: AbortSignal,
  work: (bytes: Buffer, by: ArchiveReader) => Promise<Result>,
): Promise<Result> {
  await requirePublisher(caller);
  try {
    return await work(Buffer.from(base64, 'base64'), { username: caller.username, signal });
  } catch (error) {
    if (signal.aborted && error === signal.reason)
      throw new ProblemError('service-unavailable', 'The request was cancelled.', aboutOf(caller.registry));
    if (!(error instanceof BadArchive) && !(error instanceof ReaderBusy)) throw error;
    const message = `${error.message}.`;
    const about = aboutOf(caller.registry);
    if (error instanceof BadArchive)
      throw new ProblemError('invalid-request', message, {
        ...about,
        fields: [{ path: 'archive', message }],
      });
    throw new ProblemError(error.isOwn ? 'rate-limited' : 'service-unavailable', message, {
      ...about,
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
}
