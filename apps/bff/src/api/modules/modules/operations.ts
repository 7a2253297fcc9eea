import { resource } from '#operation/operation.ts';
import { inModules } from '#shared/modules/caller.ts';
import { getModuleDownloads } from './get-module-downloads.ts';
import { getModule } from './get-module.ts';
import { listModuleConsumers } from './list-module-consumers.ts';
import { searchModules } from './search-modules.ts';
import { verifyModule } from './verify-module.ts';

export const moduleOperations = resource(inModules, {
  'modules.search': searchModules,
  'modules.get': getModule,
  'modules.downloads': getModuleDownloads,
  'modules.consumers': listModuleConsumers,
  'modules.verify': verifyModule,
});
