/** Locks a person out of an environment. Each step can be repeated. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { reasonAgainstCancel } from '#components/sessions/session-words.ts';
import { isApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';
import { counted } from '#lib/counted.ts';
import { sentencesOf } from '#lib/error-words.ts';
import { globalScope } from '#queries/global-scope.ts';

/** The outcome in one environment. */
export interface LockOutOutcome {
  readonly isDone: boolean;
  readonly words: string;
}

/** Attempts at a change that others may prevent by changing the record at the same time. */
const mostTries = 4;

/**
 * Disables an account, and cancels the open sessions on targets that it still has.
 * @param id the account's ID in the environment
 */
export async function lockOut(environment: string, id: string): Promise<LockOutOutcome> {
  try {
    await disable(environment, id);
  } catch (error) {
    return { isDone: false, words: `Not locked out. ${sentencesOf(error)}` };
  }
  let open: Open;
  try {
    open = await cancelSessions(environment, id);
  } catch (error) {
    open = { cancelled: 0, cancelling: 0, problem: sentencesOf(error) };
  }
  if (open.problem !== undefined)
    return { isDone: false, words: `Disabled, but open sessions on targets may continue. ${open.problem}` };
  return { isDone: true, words: `Locked out. Signed out of the console. ${sessionsWords(open)}` };
}

/** What became of a locked out person's sessions on targets. */
export function sessionsWords({ cancelled, cancelling }: Open): string {
  if (cancelling > 0)
    return `${counted(cancelling, 'session')} on targets ${cancelling === 1 ? 'is' : 'are'} being cancelled.`;
  return cancelled === 0
    ? 'No open sessions on targets are left.'
    : `${counted(cancelled, 'open session')} on targets cancelled.`;
}

/** Changes only whether the account is disabled, whatever others change at the same time. */
async function disable(environment: string, id: string): Promise<void> {
  const params = { environment, id };
  for (let tries = 1; ; tries += 1) {
    const { disabled, revision } = await call(at.people.get, { params });
    if (disabled) return;
    try {
      await call(at.people.update, { params, revision, body: { disabled: true } });
      return;
    } catch (error) {
      if (tries === mostTries || !isApiError(error, 'conflict')) throw error;
    }
  }
}

interface Open {
  /** 0 if the controller cancelled them when the account was disabled. */
  readonly cancelled: number;
  /** Those that a worker has yet to end. */
  readonly cancelling: number;
  /** Why some may be left. */
  readonly problem?: string;
}

async function cancelSessions(environment: string, id: string): Promise<Open> {
  let cancelled = 0;
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { items } = await call(at.accessSessions.list, {
      params: { environment },
      query: {
        scope_id: globalScope,
        recursive: true,
        page_size: 1000,
        filter: `"/item/user_id" == ${JSON.stringify(id)} and ("/item/status" == "pending" or "/item/status" == "active" or "/item/status" == "canceling")`,
      },
    });
    const open = items.filter(({ status }) => status !== 'canceling');
    const cancelling = items.length - open.length;
    if (open.length === 0) return { cancelled, cancelling };
    for (const session of open) {
      const reason = reasonAgainstCancel(session);
      if (reason !== undefined) return { cancelled, cancelling, problem: reason };
      try {
        await call(at.accessSessions.cancel, {
          params: { environment, id: session.id },
          revision: session.revision,
        });
        cancelled += 1;
      } catch (error) {
        // It has ended, or was changed, and is read again.
        if (!isApiError(error, 'conflict', 'not-found')) throw error;
      }
    }
  }
  return { cancelled, cancelling: 0, problem: 'Some are still open. Retry to cancel them.' };
}
