import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { conflict, outcomeUnknown } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { idOf, notThere, storedRecord, whatFailed } from '#shared/boxes/records.ts';
import { ofRun } from '#shared/publish/became.ts';
import { doStep } from '#shared/publish/do-step.ts';
import { isReady, runAnswer, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { moveVersion, readVersion } from '#upstreams/box-registry/boxes.ts';
import { isAnswer } from '#upstreams/service-error.ts';

export const publishRelease: Operation<'publishRuns.release'> = audited(
  { became: ofRun(({ plan }) => plan.release.state === 'done') },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const { box, version, providers } = run.plan;
    if (box === null || version?.step.state !== 'done') {
      throw new ProblemError('invalid-request', 'The version is not at the registry yet.');
    }
    const uploads = await context.uploads.ofRuns([run.id]);
    const waiting = providers.filter(
      (one) =>
        !isReady(
          one,
          uploads.find(({ provider_id }) => provider_id === one.id),
        ),
    );
    if (providers.length === 0)
      throw new ProblemError('invalid-request', 'Add a provider before you release the version.');
    if (waiting.length > 0) {
      const names = waiting.map(providerLabel).join(', ');
      throw new ProblemError('invalid-request', `Not ready yet: ${names}. Finish or remove these first.`);
    }
    const caller = await boxesCaller(context, call);
    const at = { username: box.username, name: box.name, version: version.version };
    const about = { service: 'boxes', environment: run.environment } as const;
    const seen = {
      ...storedRecord(versions, caller, at, call.note),
      revisionOf: (found: BoxVersion) => found.whole_revision,
      expected: call.body.revision,
    };
    await doStep(context, {
      run: run.id,
      what: `The release of version ${version.version}`,
      words: { created: 'is done. Clients can find it now.', used: 'was done before.' },
      keep: (plan, release) => ({ ...plan, release }),
      work: () =>
        inTurn(seen.turn, async () => {
          const stored = await readVersion(caller, at);
          if (stored === null) throw notThere(caller, 'box-version');
          if (stored.status === 'active') return 'used';
          if (stored.status !== 'unreleased') {
            throw new ProblemError('invalid-request', 'This version was revoked permanently.', about);
          }
          if (seen.revisionOf(stored) !== seen.expected) throw await conflict(seen, stored);
          const after = await moveVersion(caller, at, 'release').catch(async (error: unknown) => {
            if (whatFailed(error) === 'refused') throw error;
            const found = await readVersion(caller, at).catch(() => null);
            if (found?.status === 'active') return found;
            if (isAnswer(error, 422)) {
              throw new ProblemError(
                'invalid-request',
                "The registry can't release this version: none of its providers is usable. Check their addresses and checksums.",
                about,
              );
            }
            throw outcomeUnknown(seen, error);
          });
          await call.note.did({
            action: 'box-version.release',
            id: idOf(versions, at),
            paths: [],
            revisionBefore: stored.revision,
            revisionAfter: after.revision,
          });
          return 'created';
        }),
    });
    await context.runs.end(run.id, 'released');
    return runAnswer(context, run.id);
  },
);
