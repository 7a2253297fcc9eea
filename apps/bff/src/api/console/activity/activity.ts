import { saidBy, type ActivityEntry } from '@gatehouse/api-types/console/activity';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { ActivityFilter } from '#audit/activity-filter.ts';
import type { Activity, FoundEntry } from '#audit/activity.ts';
import { cannotTell, notReceived, type Became } from '#audit/became.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, type WhatBecame, type Operation, audited } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { visibleTo } from '../visibility.ts';

/** Entries per read. */
const batchSize = 500;

const exportActivity: Operation<'activity.export'> = audited(
  {
    // The export's filters, which aren't fields of a record and contain no secrets.
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
    // Later entries aren't exported, so that the trail records how many were.
    const { entries, last } = await context.activity.count(filter, slices);
    call.note.saw({ name: entries === 1 ? '1 entry' : `${entries} entries` });
    // Looked up again for each part, because a right can be lost during a long export.
    const mayGoOn = async (): Promise<boolean> => (await visibleTo(context, call)) === onlyOf;
    return linesOf(context.activity, filter, last, slices, mayGoOn);
  },
);

const getActivity: Operation<'activity.get'> = async (context, call) => {
  const { entry, intent } = await findEntry(context, call);
  return { ...entry, values: (await context.audit.valuesOf(intent)) ?? null };
};

const usualPageSize = 100;

const listActivity: Operation<'activity.list'> = async (context, call) => {
  const { page_size: limit = usualPageSize, page_token, mine = false, ...filters } = call.query;
  const onlyOf = await visibleTo(context, call);
  const within = { environment: call.params.environment, onlyOf };
  const [{ entries, hasMore }, unknown] = await Promise.all([
    context.activity.list(
      { ...filters, ...within, ...(mine && { onlyOf: call.session.personId }) },
      { limit, before: page_token === undefined ? undefined : sequenceOf(page_token) },
      call.slices,
    ),
    context.activity.countUnknown(within),
  ]);
  const items = entries.map(({ entry }) => entry);
  const last = items.at(-1);
  return {
    items,
    ...(hasMore && last !== undefined && { next_page_token: String(last.sequence) }),
    sees: onlyOf === undefined ? 'all' : 'own',
    unknown_count: unknown,
  };
};

const countActivity: Operation<'activity.histogram'> = async (context, call) => {
  const { utc_offset: minutes = 0, ...filters } = call.query;
  const filter = { ...filters, environment: call.params.environment, onlyOf: await visibleTo(context, call) };
  const { from, step, counts } = await context.activity.histogram(filter, minutes * 60_000, call.slices);
  return { from: new Date(from).toISOString(), step: step / 1_000, counts };
};

const verifyActivity: Operation<'activity.verify'> = async (context, call) => {
  if ((await visibleTo(context, call)) !== undefined) {
    throw new ProblemError(
      'forbidden',
      'Only administrators, who can see the whole audit trail, can verify it.',
      {
        environment: call.params.environment,
      },
    );
  }
  return context.activity.verify(call.slices);
};

/** @param becameOf as for `settleActivity` */
export const activityOperations = (becameOf: (operation: string) => WhatBecame | undefined) =>
  resource(
    { service: '' },
    {
      'activity.list': listActivity,
      'activity.get': getActivity,
      'activity.histogram': countActivity,
      'activity.verify': verifyActivity,
      'activity.export': exportActivity,
      'activity.settle': settleActivity(becameOf),
    },
  );

/** @param becameOf returns how to find out an operation's outcome, by the operation's stored name */
function settleActivity(
  becameOf: (operation: string) => WhatBecame | undefined,
): Operation<'activity.settle'> {
  return audited(
    {
      address: ({ params, body }) => ({
        id: params.sequence,
        paths: body === undefined ? [] : [`said=${body.said}`],
      }),
      became: notReceived,
    },
    (context, call) => {
      const settled = async (): Promise<ActivityEntry> => {
        const { entry, intent, open } = await findEntry(context, call);
        if (entry.outcome !== 'unknown' || open === undefined) return entry;
        const said = call.body?.said;
        const read = async (): Promise<Became> => {
          const wish = readable(() => context.audit.wishOf(open));
          return (becameOf(wish.operation) ?? cannotTell)(context, call, intent, wish);
        };
        // What is read counts more than what the user says. If neither is known, the entry stays open.
        const became = await read().catch((error: unknown): Became => {
          if (said === undefined || !(error instanceof ProblemError)) throw error;
          return { outcome: 'unknown' };
        });
        const isSaid = became.outcome === 'unknown';
        const outcome = isSaid ? said : became.outcome;
        if (outcome === undefined) return entry;
        await context.audit.settle(intent, {
          outcome,
          problem: isSaid ? saidBy + call.session.loginName : null,
          revisionAfter: became.stored?.revision ?? null,
          learned: {
            ...(became.stored !== undefined && { id: became.stored.id }),
            ...(became.stored?.name !== undefined && { name: became.stored.name }),
          },
        });
        return (await findEntry(context, call)).entry;
      };
      const { environment, sequence: id } = call.params;
      return inTurn({ environment, service: 'audit', kind: 'outcome', id }, settled);
    },
  );
}

/** @throws ProblemError `invalid-request` if the request's encryption key is gone */
function readable<Wish>(open: () => Wish): Wish {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new ProblemError(
      'invalid-request',
      "The recorded request can no longer be decrypted, so it can't be compared with the stored record. Check the record yourself.",
      { cause },
    );
  }
}

function sequenceOf(token: string): number {
  if (/^[1-9]\d{0,14}$/.test(token)) return Number(token);
  throw new ProblemError(
    'invalid-request',
    "The page token isn't valid. Use the next_page_token of the previous page.",
    {
      fields: [
        {
          path: 'page_token',
          message: "The page token isn't valid. Use the next_page_token of the previous page.",
        },
      ],
    },
  );
}

async function* linesOf(
  activity: Activity,
  filter: ActivityFilter,
  upTo: number,
  slices: Slices,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<ActivityEntry> {
  let after = 0;
  for (;;) {
    if (!(await mayGoOn())) throw new ProblemError('forbidden', 'You may no longer see these entries.');
    const { entries, hasMore } = await activity.following(filter, { after, upTo }, batchSize, slices);
    for (const { entry } of entries) yield entry;
    const last = entries.at(-1);
    if (last === undefined || !hasMore) return;
    after = last.entry.sequence;
  }
}

/** Reads an entry that the caller may see. @throws ProblemError `not-found` */
async function findEntry(
  context: Context,
  call: ServiceCall & { readonly params: { readonly sequence: string }; readonly slices: Slices },
): Promise<FoundEntry> {
  const { environment, sequence } = call.params;
  const onlyOf = await visibleTo(context, call);
  const {
    entries: [found],
  } = /^[1-9]\d{0,14}$/.test(sequence)
    ? await context.activity.list(
        { environment, onlyOf, sequence: Number(sequence) },
        { limit: 1 },
        call.slices,
      )
    : { entries: [] };
  if (found === undefined) {
    throw new ProblemError('not-found', "This entry doesn't exist, or you aren't allowed to see it.");
  }
  return found;
}
