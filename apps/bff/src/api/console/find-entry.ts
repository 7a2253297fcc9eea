import type { Slices } from '@gatehouse/service-kit/slices';
import type { FoundEntry } from '#audit/activity.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { visibleTo } from './visibility.ts';

/** One entry that the caller may see. @throws ProblemError `not-found` */
export async function findEntry(
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
