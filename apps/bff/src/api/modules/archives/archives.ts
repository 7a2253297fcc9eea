import { resource, type Operation } from '#operation/operation.ts';
import { inModules, modulesCaller } from '../caller.ts';
import { sentBounds, withArchive } from '../sent-archive.ts';

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
