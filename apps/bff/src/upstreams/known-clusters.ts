import { lastKnownOf } from '@gatehouse/api-types/console/last-known-of';
import {
  lastKnownCluster,
  type LastKnownCluster,
  type ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import type { Clock } from '@gatehouse/service-kit/clock';
import * as z from 'zod/mini';
import type { Database } from '#store/database.ts';

/** What clusters last told of themselves: a primary that is lost can't say any more which one it was. */
export type KnownClusters = ReturnType<typeof knownClusters>;

/** How much later the same is kept again, in milliseconds: pages ask every few seconds. */
const keptFor = 60_000;

/** The memory of one console. It survives a restart: what takes a primary down may take the console along. */
export function knownClusters(database: Database, clock: Clock) {
  const { build } = database;
  const kept = new Map<string, { readonly text: string; readonly at: number }>();
  return {
    /** What was last known of the cluster of an environment; null where it was never read. */
    async of(environment: string): Promise<LastKnownCluster | null> {
      const row = await database.get(
        build.selectFrom('known_cluster').selectAll().where('environment', '=', environment).compile(),
      );
      if (row === undefined) return null;
      const { mode, cluster_id, cluster_address, seen_at: seen } = row;
      return z.parse(lastKnownCluster, {
        time: new Date(seen).toISOString(),
        mode,
        cluster_id,
        cluster_address,
      });
    },
    /** Keeps what a cluster tells now. */
    async keep(environment: string, status: ReplicationStatus): Promise<void> {
      const known = lastKnownOf(status);
      const [text, at] = [JSON.stringify(known), clock.now()];
      const before = kept.get(environment);
      if (before?.text === text && at - before.at < keptFor) return;
      kept.set(environment, { text, at });
      const row = { ...known, seen_at: at };
      await database.run(
        build
          .insertInto('known_cluster')
          .values({ environment, ...row })
          .onConflict((conflict) => conflict.column('environment').doUpdateSet(row))
          .compile(),
      );
    },
  };
}
