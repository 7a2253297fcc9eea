import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { listFolder } from './list-folder.ts';
import { scanRecycleBin } from './scan-recycle-bin.ts';
import { searchSecrets } from './search-secrets.ts';

export const secretFolderOperations = resource(inSecrets, {
  'secrets.listFolder': listFolder,
  'secretScans.search': searchSecrets,
  'secretScans.recycleBin': scanRecycleBin,
});
