import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Activity, ActivityFilter } from '#audit/activity.ts';
import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { visibleTo } from '#shared/console/visibility.ts';

/** Entries that are read at a time. */
const batchSize = 500;

export const exportActivity: Operation<'activity.export'> = audited(
  {
    // What it was narrowed to: filters are no fields of a record, and nothing that they say is secret.
    address: ({ query }) => ({
      paths: Object.entries(query).flatMap(([name, value]) =>
        typeof value === 'string' ? [`${name}=${value}`] : [],
      ),
    }),
    became: cannotTell,
  },
  async (context, call) => {
    const onlyOf = await visibleTo(context, call);
    const { slices } = call;
    const filter = { ...call.query, environment: call.params.environment, onlyOf };
    // What comes after the count is not handed out, so that the trail tells how much was.
    const { entries, last } = await context.activity.count(filter, slices);
    call.note.saw({ name: entries === 1 ? '1 entry' : `${entries} entries` });
    return linesOf(context.activity, filter, last, slices);
  },
);

async function* linesOf(
  activity: Activity,
  filter: ActivityFilter,
  upTo: number,
  slices: Slices,
): AsyncGenerator<ActivityEntry> {
  let after = 0;
  for (;;) {
    const { entries, hasMore } = await activity.following(filter, { after, upTo }, batchSize, slices);
    for (const { entry } of entries) yield entry;
    const last = entries.at(-1);
    if (last === undefined || !hasMore) return;
    after = last.entry.sequence;
  }
}
