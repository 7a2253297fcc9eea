import { withParameters } from '@gatehouse/service-kit/store';
import { factQuery, setFact } from '../cluster.ts';
import type { SecretsStore, SecretsWriter } from '../database.ts';

/** A stored flag of the cluster. */
export type Flag = ReturnType<typeof flagOf>;

/** A flag of the store. @param usual the default value */
export function flagOf(store: SecretsStore, name: string, usual: boolean) {
  const query = factQuery(store.build);
  return {
    read(): boolean {
      const value = store.get(withParameters(query, name))?.value;
      return value === undefined ? usual : value === '1';
    },
    set: (tx: SecretsWriter, value: boolean): void => setFact(tx, name, value ? '1' : '0'),
  };
}
