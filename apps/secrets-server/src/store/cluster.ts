import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { SecretsStore, SecretsWriter } from './database.ts';

/** Who this cluster is, for as long as its store lives. */
export interface Cluster {
  readonly id: string;
  readonly name: string;
}

/** Reads the cluster's identity, making it at the first start. Answers too whether this is the first start. */
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

/** Reads a fact of this cluster by its name, which is the parameter. */
export function factQuery(build: SecretsStore['build']) {
  return build.selectFrom('cluster').select('value').where('name', '=', '').compile();
}

/** Keeps a fact of this cluster under its name, in place of what it was. */
export function setFact(tx: SecretsWriter, name: string, value: string): void {
  tx.run(
    tx.build
      .insertInto('cluster')
      .values({ name, value })
      .onConflict((row) => row.column('name').doUpdateSet({ value }))
      .compile(),
  );
}
