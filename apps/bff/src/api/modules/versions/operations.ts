import { resource } from '#operation/operation.ts';
import { inModules } from '#shared/modules/caller.ts';
import { deleteModuleVersion } from './delete-module-version.ts';
import { getModuleVersion } from './get-module-version.ts';
import { locateModuleVersion } from './locate-module-version.ts';
import { publishModuleVersion } from './publish-module-version.ts';
import { deprecateModuleVersion, restoreModuleVersion } from './say-of-module-version.ts';

export const moduleVersionOperations = resource(inModules, {
  'moduleVersions.get': getModuleVersion,
  'moduleVersions.locate': locateModuleVersion,
  'moduleVersions.publish': publishModuleVersion,
  'moduleVersions.deprecate': deprecateModuleVersion,
  'moduleVersions.restore': restoreModuleVersion,
  'moduleVersions.delete': deleteModuleVersion,
});
