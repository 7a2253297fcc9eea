import { lastKnownOf } from '@gatehouse/api-types/console/last-known-of';
import {
  lastKnownCluster,
  type LastKnownCluster,
  type ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import type { Clock } from '@gatehouse/service-kit/clock';
import * as z from 'zod/mini';
import type { Database } from '#store/database.ts';

/** The last status that each cluster reported: a lost primary can no longer say which cluster it was. */
export type KnownClusters = ReturnType<typeof knownClusters>;

/** The minimum time before an unchanged status is stored again, in milliseconds: pages read it every few seconds. */
const keptFor = 60_000;

/** Stored in the database, because the outage that takes a primary down may also restart the console. */
export function knownClusters(database: Database, clock: Clock) {
  const { build } = database;
  const kept = new Map<string, { readonly text: string; readonly at: number }>();
  return {
    /** The last known status of an environment's cluster; null if it was never read. */
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
    /** Stores a cluster's status. */
    async keep(environment: string, status: ReplicationStatus): Promise<void> {
      const known = lastKnownOf(status);
      const [text, at] = [JSON.stringify(known), clock.now()];
      const before = kept.get(environment);
      if (before?.text === text && at - before.at < keptFor) return;
      const row = { ...known, seen_at: at };
      await database.run(
        build
          .insertInto('known_cluster')
          .values({ environment, ...row })
          .onConflict((conflict) => conflict.column('environment').doUpdateSet(row))
          .compile(),
      );
      kept.set(environment, { text, at });
    },
  };
}
