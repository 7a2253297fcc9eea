import type { Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { wireTime } from '../../core/time.ts';

const place = 'replication/performance';

/** What this server tells of replication beside the field's own operations. */
export function replicationInspectionRoutes({ replication }: Context): Route[] {
  return [
    {
      path: `${place}/digest`,
      operations: {
        read: async ({ query }) => ({
          data: { ...(await replication.digest(query.get('secondary') ?? '')) },
        }),
      },
    },
    {
      path: `${place}/transitions`,
      operations: {
        read: () => ({
          data: {
            transitions: replication.transitions.list().map(({ time, ...transition }) => ({
              ...transition,
              time: wireTime(time),
            })),
          },
        }),
      },
    },
    {
      path: `${place}/lost`,
      operations: {
        read: () => ({
          data: {
            lost: replication.store.lost().map(({ id, seq, time, foundTime, records }) => ({
              id,
              seq,
              time: wireTime(time),
              found_time: wireTime(foundTime),
              records,
            })),
          },
        }),
      },
    },
    {
      path: `${place}/canary`,
      fields: [],
      operations: { update: async () => ({ data: { seq: await replication.canary() } }) },
    },
  ];
}
