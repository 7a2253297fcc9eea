/** The operations of the secrets server. */
import type { Operations } from '../../http/operation.ts';
import { versionsOperation } from './change-versions.ts';
import { compareSecret } from './compare-secret.ts';
import { createSecret } from './create-secret.ts';
import { deleteSecretForever } from './delete-secret-forever.ts';
import { deleteSecret } from './delete-secret.ts';
import { exportSecrets } from './export-secrets.ts';
import { getSecretCapabilities } from './get-secret-capabilities.ts';
import { getSecret } from './get-secret.ts';
import { importSecrets } from './import-secrets.ts';
import { listFolder } from './list-folder.ts';
import { listMounts } from './list-mounts.ts';
import { patchSecret } from './patch-secret.ts';
import { previewSecretImport } from './preview-secret-import.ts';
import { restoreSecret } from './restore-secret.ts';
import { revealSecret } from './reveal-secret.ts';
import { scanRecycleBin } from './scan-recycle-bin.ts';
import { searchSecrets } from './search-secrets.ts';
import { getSecretEngine, updateSecretEngine } from './secret-engine.ts';
import { getSecretMetadata, patchSecretMetadata, updateSecretMetadata } from './secret-metadata.ts';
import { transferSecrets } from './transfer-secrets.ts';
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
