import { archiveLimitBytes } from '@gatehouse/api-types/console/modules';
import { BadArchive, ReaderBusy } from '@gatehouse/module-archive/bad-archive';
import { archiveBounds } from '@gatehouse/module-archive/read-archive';
import { ProblemError } from '#ground/problem.ts';
import { resource, type Operation } from '#operation/operation.ts';
import type { ArchiveReader } from '#upstreams/module-registry/archives.ts';
import { aboutOf, type ModulesCaller } from '#upstreams/module-registry/client.ts';
import { requirePublisher } from '#upstreams/module-registry/management.ts';
import { inModules, modulesCaller } from './caller.ts';

/** Limits of archives that are uploaded through the console. */
export const sentBounds = { ...archiveBounds, sentBytes: archiveLimitBytes };

/**
 * Works on an uploaded archive of a user who may publish it.
 * @param signal aborts when the user leaves
 * @throws ServiceError as `requirePublisher`; ProblemError `invalid-request` for an invalid archive, with the reason
 * beside the field; `rate-limited` or `service-unavailable` if too many wait to be read
 */
export async function withArchive<Result>(
  caller: ModulesCaller,
  base64: string,
  signal: AbortSignal,
  work: (bytes: Uint8Array, by: ArchiveReader) => Promise<Result>,
): Promise<Result> {
  await requirePublisher(caller);
  try {
    return await work(decoded(base64), { username: caller.username, signal });
  } catch (error) {
    if (signal.aborted && error === signal.reason)
      throw new ProblemError('service-unavailable', 'The request was canceled.', aboutOf(caller.registry));
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

function decoded(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw new BadArchive('Send the archive in base64');
  }
}

const readModuleArchive: Operation<'moduleArchives.read'> = async (context, { body, ...call }) => {
  const caller = await modulesCaller(context, call);
  const { archives } = caller.registry;
  return withArchive(caller, body.archive, call.caller.signal, (bytes, by) =>
    archives.read(bytes, sentBounds, by),
  );
};

export const moduleArchiveOperations = resource(inModules, {
  'moduleArchives.read': readModuleArchive,
});
