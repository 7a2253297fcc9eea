import { join } from 'node:path';
import { openStore } from '@gatehouse/service-kit/store';
import type { Store } from '@gatehouse/service-kit/store';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';

/** Opens access-controller.db in the data folder. @throws StoreUnavailable */
export function openDatabase(dataDir: string): Store<Schema> {
  return openStore<Schema>({ file: join(dataDir, 'access-controller.db'), migrations });
}
