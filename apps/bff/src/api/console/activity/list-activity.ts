import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { visibleTo } from '#shared/console/visibility.ts';

const usualPageSize = 100;

export const listActivity: Operation<'activity.list'> = async (context, call) => {
  const { page_size: limit = usualPageSize, page_token, ...filters } = call.query;
  const onlyOf = await visibleTo(context, call);
  const within = { environment: call.params.environment, onlyOf };
  const [{ entries, hasMore }, unknown] = await Promise.all([
    context.activity.list(
      { ...filters, ...within },
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

function sequenceOf(token: string): number {
  if (/^[1-9]\d{0,14}$/.test(token)) return Number(token);
  throw new ProblemError('invalid-request', "This page of the audit trail doesn't exist.", {
    fields: [{ path: 'page_token', message: "This page of the audit trail doesn't exist." }],
  });
}
