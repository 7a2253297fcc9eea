import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { Activity, ActivityFilter } from '../../audit/activity.ts';
import type { Operation } from '../../http/operation.ts';
import { visibleTo } from './visibility.ts';

/** Entries that are read at a time. */
const batchSize = 500;

export const exportActivity: Operation<'exportActivity'> = async (context, call) => {
  const onlyOf = await visibleTo(context, call);
  return entries(context.activity, { ...call.query, environment: call.params.environment, onlyOf });
};

async function* entries(activity: Activity, filter: ActivityFilter): AsyncGenerator<ActivityEntry> {
  let after = 0;
  for (;;) {
    const batch = await activity.following(filter, after, batchSize);
    for (const { entry } of batch) yield entry;
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) return;
    after = last.entry.sequence;
  }
}
