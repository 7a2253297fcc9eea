import type { LockOutStep, Person } from '@gatehouse/api-types/console/people';
import { guardedWrite } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { WorkOf } from '#store/lease.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';
import { storedRecord, versionOf, whatFailed } from '../stored-record.ts';

/** Attempts at a change that others may prevent by changing the record at the same time. */
const mostTries = 4;
/** The sessions of a user that are canceled at most. */
const mostSessions = 10_000;

/** Disables a user, whatever others change at the same time. @throws ProblemError like a guarded write */
export async function disable(caller: AccessCaller, person: Person, note: AuditNote): Promise<Person> {
  let stored = person;
  for (let tries = 1; !stored.disabled; tries += 1) {
    const { id, revision } = stored;
    try {
      return await guardedWrite({
        ...storedRecord(people, caller, id, note),
        expected: revision,
        send: () => people.update(caller, id, versionOf(revision), { disabled: true }),
        equalsSent: ({ disabled }) => disabled,
        readFirst: false,
      });
    } catch (error) {
      if (tries === mostTries || !(error instanceof ProblemError && error.code === 'conflict')) throw error;
      stored = await people.get(caller, id);
    }
  }
  return stored;
}

/** Cancels a user's open sessions on targets, and reports what is left. Each is recorded as a part of the operation. */
export async function cancelSessions(
  caller: AccessCaller,
  userId: string,
  note: AuditNote,
): Promise<LockOutStep> {
  const filter = `${fieldIs('user_id', userId)} and ("/item/status" == "pending" or "/item/status" == "active" or "/item/status" == "canceling")`;
  let canceled = 0;
  let problem: string | undefined;
  try {
    for (let tries = 1; tries <= mostTries && problem === undefined; tries += 1) {
      const query = { scope_id: 'global', recursive: true, page_size: 1000, filter };
      const listed = await allOf(sessions, caller, query, mostSessions);
      const found = listed.filter(({ user_id }) => user_id === userId);
      const open = found.filter(({ status }) => status !== 'canceling');
      if (open.length === 0) {
        const count = Math.max(canceled, found.length);
        return { is_done: true, count, words: sessionsWords(count, found.length) };
      }
      for (const { id, revision } of open) {
        try {
          const { revision: revisionAfter } = await sessions.act(caller, id, 'cancel', {
            version: versionOf(revision),
          });
          canceled += 1;
          await note.did({
            action: 'session.cancel',
            id,
            paths: [],
            revisionBefore: revision,
            revisionAfter,
          });
        } catch (error) {
          // One that has ended or was changed is read again.
          if (!(error instanceof ProblemError)) throw error;
          if (whatFailed(error) !== 'perhaps-stale') problem = error.message;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    problem = error.message;
  }
  return {
    is_done: false,
    count: canceled,
    words: `Open sessions on targets may continue. ${problem ?? 'Some are still open. Retry to cancel them.'}`,
  };
}

/**
 * Pauses a user's moves and stops their deliveries, which would continue with their own tokens at registries that have
 * other accounts.
 * @param of ended sessions, and the user's IDs
 * @returns a step for each kind that was running
 */
export async function stopWork(
  { deliveries, moveJobs }: Context,
  of: WorkOf,
): Promise<Readonly<Record<string, LockOutStep>>> {
  const [paused, stopped] = await Promise.all([
    moveJobs.pauseOf(of, "The move's owner can no longer sign in."),
    deliveries.stopOf(of, 'The delivery was stopped because you could no longer sign in.'),
  ]);
  const step = (count: number, words: string): LockOutStep => ({ is_done: true, count, words });
  return {
    ...(paused > 0 && {
      'paused-moves': step(paused, `${paused} ${paused === 1 ? 'move' : 'moves'} paused.`),
    }),
    ...(stopped > 0 && {
      'stopped-deliveries': step(stopped, `${stopped} ${stopped === 1 ? 'delivery' : 'deliveries'} stopped.`),
    }),
  };
}

/** What became of the sessions of a user who has no open ones. @param canceling those that a worker has yet to end */
function sessionsWords(count: number, canceling: number): string {
  const noun = `${count} ${count === 1 ? 'session' : 'sessions'} on targets`;
  if (canceling > 0) return `${noun} ${count === 1 ? 'is' : 'are'} being canceled.`;
  return count === 0 ? 'No open sessions on targets are left.' : `${noun} canceled.`;
}
