import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { toInteger } from '../core/fields.ts';
import { badRequest } from '../core/refusal.ts';
import type { ReplicationView } from '../replication/replication.ts';

/** The age of the newest local entry in milliseconds; 0 if none can be missing, null if unknown. */
function canaryAge({ role, follow }: ReplicationView): number | null {
  return role.mode === 'secondary' ? (follow?.canaryAgeMs ?? null) : 0;
}

/**
 * sys/health: 200, or 503 while sealed. `activecode` and `sealedcode` select other statuses. Parameters for states that
 * this server is never in (`standbycode`, `uninitcode` …) are accepted without effect.
 */
export function healthRoute(context: Context): Route {
  return {
    path: 'health',
    // Load balancers use HEAD.
    head: true,
    withoutToken: true,
    whileSealed: true,
    rootNamespaceOnly: true,
    operations: {
      read: ({ query, now }) => {
        const { barrier, version, cluster, replication } = context;
        const code = (name: string, usual: number): number => {
          const status = toInteger(query.get(name) ?? undefined, name) ?? usual;
          if (status < 200 || status > 599)
            throw badRequest(`"${name}" is not an HTTP status code from 200 to 599`);
          return status;
        };
        return {
          status: barrier.sealed ? code('sealedcode', 503) : code('activecode', 200),
          bare: {
            initialized: true,
            sealed: barrier.sealed,
            standby: false,
            performance_standby: false,
            replication_performance_mode: barrier.sealed ? 'unknown' : replication.view.role.mode,
            replication_dr_mode: 'disabled',
            server_time_utc: Math.floor(now / 1000),
            version,
            enterprise: false,
            cluster_name: cluster.name,
            cluster_id: cluster.id,
            // Echoes are sent between nodes, of which there is only one.
            echo_duration_ms: null,
            clock_skew_ms: null,
            replication_primary_canary_age_ms: barrier.sealed ? null : canaryAge(replication.view),
          },
        };
      },
    },
  };
}
