import { resource } from '#operation/operation.ts';
import { inModules } from '#shared/modules/caller.ts';
import { readModuleArchive } from './read-module-archive.ts';

export const moduleArchiveOperations = resource(inModules, {
  'moduleArchives.read': readModuleArchive,
});
