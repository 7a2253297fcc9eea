import { join } from 'node:path';
import { openStore } from '@gatehouse/service-kit/store';
import type { Reader, Store, Writer } from '@gatehouse/service-kit/store';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';

export type SecretsStore = Store<Schema>;
/** Runs queries. */
export type SecretsReader = Reader<Schema>;
/** Runs changes in a transaction. */
export type SecretsWriter = Writer<Schema>;

/** Opens secrets-server.db in the data folder. @throws StoreUnavailable */
export function openDatabase(dataDir: string): SecretsStore {
  return openStore<Schema>({ file: join(dataDir, 'secrets-server.db'), migrations });
}
