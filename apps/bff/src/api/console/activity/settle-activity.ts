import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { cannotTell, notReceived } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { findEntry } from '#shared/console/find-entry.ts';

/** @param becameOf how an operation is found out about, by the name under which its intent is kept */
export function settleActivity(
  becameOf: (operation: string) => WhatBecame | undefined,
): Operation<'activity.settle'> {
  return audited(
    { address: ({ params }) => ({ id: params.sequence }), became: notReceived },
    async (context, call) => {
      const { entry, intent, open } = await findEntry(context, call);
      if (entry.outcome === 'pending') {
        throw new ProblemError('invalid-request', 'This is still in progress. Check again in a minute.');
      }
      if (entry.outcome !== 'unknown' || open === undefined) {
        throw new ProblemError('invalid-request', 'The outcome is already known.');
      }
      const wish = readable(() => context.audit.wishOf(open));
      const whatBecame = becameOf(wish.operation) ?? cannotTell;
      const became = await whatBecame(context, call, intent, wish);
      // Nothing new was learned: the entry stays open as it is.
      if (became.outcome === 'unknown') return entry;
      await context.audit.settle(intent, {
        outcome: became.outcome,
        problem: null,
        revisionAfter: became.stored?.revision ?? null,
        learned: {
          ...(became.stored !== undefined && { id: became.stored.id }),
          ...(became.stored?.name !== undefined && { name: became.stored.name }),
        },
      });
      return (await findEntry(context, call)).entry;
    },
  );
}

/** @throws ProblemError `invalid-request` where the key that it was sealed under is gone */
function readable<Wish>(open: () => Wish): Wish {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new ProblemError(
      'invalid-request',
      "The request can no longer be read, so it can't be compared with the stored record. Check the record itself.",
      { cause },
    );
  }
}
