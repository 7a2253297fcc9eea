import { guardedWrite, outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { storedRecord, versionOf, whatFailed } from '#shared/access/stored-record.ts';
import { accountOfPerson, people, setPassword } from '#upstreams/access-controller/people.ts';
import { endSessions } from './end-sessions.ts';

export const resetPassword: Operation<'people.resetPassword'> = audited(
  { became: changed(people) },
  async (context, call) => {
    const { body, params, revision, note } = call;
    versionOf(revision);
    const caller = await accessCaller(context, call);
    const stored = storedRecord(people, caller, params.id, note);
    return guardedWrite({
      ...stored,
      expected: revision,
      send: async () => {
        const account = await accountOfPerson(caller, params.id);
        if (account === undefined) {
          throw new ProblemError('invalid-request', "This user doesn't sign in with a password.", {
            service: 'access',
            environment: params.environment,
          });
        }
        try {
          await setPassword(caller, account, body.new_password);
          await endSessions(context, call);
          return await people.get(caller, params.id);
        } catch (error) {
          // A password cannot be compared with the one that is stored.
          if (whatFailed(error) === 'unknown') throw outcomeUnknown(stored, error);
          throw error;
        }
      },
      equalsSent: () => false,
      readFirst: true,
    });
  },
);
