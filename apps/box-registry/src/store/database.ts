import { join } from 'node:path';
import { openStore } from '@gatehouse/service-kit/store';
import type { Reader, Store, Writer } from '@gatehouse/service-kit/store';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';

export type RegistryStore = Store<Schema>;
export type RegistryReader = Reader<Schema>;
/** Runs changes in a transaction. */
export type RegistryWriter = Writer<Schema>;

/** Opens box-registry.db in the data folder. @throws StoreUnavailable */
export function openDatabase(dataDir: string): RegistryStore {
  return openStore<Schema>({ file: join(dataDir, 'box-registry.db'), migrations });
}
