import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { moveStoredVersion } from '#shared/boxes/move-version.ts';
import { idOf } from '#shared/boxes/records.ts';
import { ofRun } from '#shared/publish/became.ts';
import { doStep } from '#shared/publish/do-step.ts';
import { isReady, runAnswer, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';

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
    await doStep(context, {
      run: run.id,
      what: `The release of version ${version.version}`,
      words: { created: 'is done. Clients can find it now.', used: 'was done before.' },
      keep: (plan, release) => ({ ...plan, release }),
      work: async () => {
        const { version: after, before } = await moveStoredVersion('release', caller, at, {
          revision: call.body.revision,
          note: call.note,
        });
        if (before === undefined) return 'used';
        await call.note.did({
          action: 'box-version.release',
          id: idOf(versions, at),
          paths: [],
          revisionBefore: before.revision,
          revisionAfter: after.revision,
        });
        return 'created';
      },
    });
    await context.runs.end(run.id, 'released');
    return runAnswer(context, run.id);
  },
);
