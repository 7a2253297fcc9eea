import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { exportSecrets } from './export-secrets.ts';
import { importSecrets } from './import-secrets.ts';
import { previewSecretImport } from './preview-secret-import.ts';
import { transferSecrets } from './transfer-secrets.ts';

export const secretTransferOperations = resource(inSecrets, {
  'secretTransfers.transfer': transferSecrets,
  'secretTransfers.export': exportSecrets,
  'secretTransfers.previewImport': previewSecretImport,
  'secretTransfers.import': importSecrets,
});
