import type { Operation } from '#operation/operation.ts';
import { sentBounds, withArchive } from '#shared/modules/sent-archive.ts';

export const readModuleArchive: Operation<'moduleArchives.read'> = async (context, { params, body }) => {
  const { archives } = context.directory.modules(params.environment);
  return withArchive(body.archive, params.environment, (bytes) => archives.read(bytes, sentBounds));
};
