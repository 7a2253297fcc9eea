/** The operations of the secrets server. */
import type { Operations } from '#operation/operation.ts';
import { listMounts } from '../engines/list-mounts.ts';
import { getSecretEngine, updateSecretEngine } from '../engines/secret-engine.ts';
import { listFolder } from '../folders/list-folder.ts';
import { scanRecycleBin } from '../folders/scan-recycle-bin.ts';
import { searchSecrets } from '../folders/search-secrets.ts';
import { getSecretMetadata, patchSecretMetadata, updateSecretMetadata } from '../metadata/secret-metadata.ts';
import { exportSecrets } from '../transfers/export-secrets.ts';
import { importSecrets } from '../transfers/import-secrets.ts';
import { previewSecretImport } from '../transfers/preview-secret-import.ts';
import { transferSecrets } from '../transfers/transfer-secrets.ts';
import { versionsOperation } from '../versions/change-versions.ts';
import { compareSecret } from './compare-secret.ts';
import { createSecret } from './create-secret.ts';
import { deleteSecretForever } from './delete-secret-forever.ts';
import { deleteSecret } from './delete-secret.ts';
import { getSecretCapabilities } from './get-secret-capabilities.ts';
import { getSecret } from './get-secret.ts';
import { patchSecret } from './patch-secret.ts';
import { restoreSecret } from './restore-secret.ts';
import { revealSecret } from './reveal-secret.ts';
import { updateSecret } from './update-secret.ts';

export const secretOperations = {
  listMounts,
  listFolder,
  getSecretCapabilities,
  getSecret,
  revealSecret,
  createSecret,
  updateSecret,
  patchSecret,
  restoreSecret,
  deleteSecret,
  deleteSecretVersions: versionsOperation('delete'),
  undeleteSecretVersions: versionsOperation('undelete'),
  destroySecretVersions: versionsOperation('destroy'),
  deleteSecretForever,
  compareSecret,
  getSecretMetadata,
  updateSecretMetadata,
  patchSecretMetadata,
  getSecretEngine,
  updateSecretEngine,
  searchSecrets,
  scanRecycleBin,
  transferSecrets,
  exportSecrets,
  previewSecretImport,
  importSecrets,
} satisfies Partial<Operations>;
