import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { SecretsStore, SecretsWriter } from './database.ts';

/** The identity of this cluster, which is as old as its store. */
export interface Cluster {
  readonly id: string;
  readonly name: string;
}

/** Reads the cluster's identity, or creates it at the first start. Also returns whether this is the first start. */
export async function openCluster(
  store: SecretsStore,
): Promise<{ readonly cluster: Cluster; readonly fresh: boolean }> {
  const { build } = store;
  return store.write((tx) => {
    const known = new Map(
      tx.all(build.selectFrom('cluster').selectAll().compile()).map(({ name, value }) => [name, value]),
    );
    const id = known.get('id');
    const name = known.get('name');
    if (id !== undefined && name !== undefined) return { cluster: { id, name }, fresh: false };
    const cluster: Cluster = { id: randomUUID(), name: `vault-cluster-${randomBase62(8).toLowerCase()}` };
    for (const [key, value] of Object.entries(cluster)) {
      tx.run(
        build
          .insertInto('cluster')
          .values({ name: key, value: String(value) })
          .compile(),
      );
    }
    return { cluster, fresh: true };
  });
}

/** Query for one of the cluster's stored values; the parameter is its name. */
export function factQuery(build: SecretsStore['build']) {
  return build.selectFrom('cluster').select('value').where('name', '=', '').compile();
}

/** Stores one of the cluster's values under a name, replacing the previous one. */
export function setFact(tx: SecretsWriter, name: string, value: string): void {
  tx.run(
    tx.build
      .insertInto('cluster')
      .values({ name, value })
      .onConflict((row) => row.column('name').doUpdateSet({ value }))
      .compile(),
  );
}
