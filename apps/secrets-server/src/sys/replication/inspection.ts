import type { Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { badRequest } from '../../core/refusal.ts';
import { wireTime } from '../../core/time.ts';

const place = 'replication/performance';

/** This server's additions to the usual replication API. */
export function replicationInspectionRoutes({ replication }: Context): Route[] {
  return [
    {
      path: `${place}/digest`,
      operations: {
        read: async ({ query, giveWay }) => ({
          data: { ...(await replication.digest(query.get('secondary') ?? '', giveWay)) },
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
        read: ({ query }) => ({
          data: {
            total: replication.store.lostCount(),
            lost: replication.store
              .lost({ before: numberOf(query, 'before'), limit: numberOf(query, 'limit') })
              .map(({ time, foundTime, ...write }) => ({
                ...write,
                time: wireTime(time),
                found_time: wireTime(foundTime),
              })),
          },
        }),
        delete: async ({ query }) => {
          const upTo = numberOf(query, 'up_to');
          if (upTo === undefined)
            throw badRequest('missing up_to: the ID of the newest lost write that is to be deleted');
          return { data: { deleted: await replication.store.purgeLost(upTo) } };
        },
      },
    },
    {
      path: `${place}/canary`,
      fields: [],
      operations: { update: async () => ({ data: { seq: await replication.canary() } }) },
    },
  ];
}

/** Reads a positive whole number from the query; undefined if it is missing. @throws Refusal 400 */
function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw badRequest(`${name} must be a whole number from 1`);
  return Number(text);
}
