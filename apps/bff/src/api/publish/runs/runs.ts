import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { existingVersion, type PublishRunSummary } from '@gatehouse/api-types/console/publish';
import * as z from 'zod/mini';
import { boxesCaller } from '#api/boxes/caller.ts';
import { differing } from '#api/boxes/holds.ts';
import { versions } from '#api/boxes/kinds.ts';
import { moveStoredVersion } from '#api/boxes/move-version.ts';
import { idOf } from '#api/boxes/records.ts';
import { isMoved } from '#api/boxes/versions/versions.ts';
import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { countedIds } from '#session/people.ts';
import { checkOpen, runLimit } from '#uploads/runs.ts';
import { readVersion } from '#upstreams/box-registry/boxes.ts';
import { ofRun } from '../became.ts';
import { doStep } from '../do-step.ts';
import { inRuns } from '../in-runs.ts';
import { checkMayPublish } from '../may-publish.ts';
import { isSamePart, isSamePlan, newPlan } from '../plan.ts';
import { createOfStep, updateOfStep } from '../record-step.ts';
import { runOf, isReady, runAnswer, summaryOf } from '../run-answer.ts';
import { publishBox } from './publish-box.ts';
import { publishProvider } from './publish-provider.ts';
import { updatePublishRun } from './update-publish-run.ts';

const abandonPublishRun: Operation<'publishRuns.abandon'> = audited(
  { became: ofRun(({ state }) => state === 'abandoned') },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const uploads = () => context.uploads.ofRuns([run.id]);
    // Deliveries stop first, so that nothing is delivered for an ended run if the rest fails.
    await Promise.all((await uploads()).map(({ id }) => context.deliveries.stop(id)));
    // The run may have ended in the meantime.
    if (!(await context.runs.end(run.id, 'abandoned'))) checkOpen(await runOf(context, call));
    await Promise.all((await uploads()).map(({ id }) => context.publishing.cancel(id)));
    await context.runs.log(run.id, 'The run was abandoned. Everything already in the registry stays there.');
    return runAnswer(context, run.id);
  },
);

const createPublishRun: Operation<'publishRuns.create'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    const plan = newPlan(call.body);
    await checkMayPublish(caller, plan);
    const { personId } = call.session;
    const own = countedIds(context.config.environments, personId);
    if ((await context.runs.countOpen(own)) >= runLimit) {
      throw new ProblemError(
        'invalid-request',
        `You have ${runLimit} unfinished publishing runs in all environments. Finish or abandon one first.`,
      );
    }
    await context.runs.forgetEnded(own);
    const run = await context.runs.create({ personId, environment: call.params.environment }, plan);
    return runAnswer(context, run.id);
  },
);

const getPublishRun: Operation<'publishRuns.get'> = async (context, call) => {
  const run = await runOf(context, call);
  await context.publishing.takeUp(await context.uploads.ofRuns([run.id]), call.session);
  return runAnswer(context, run.id);
};

const listPublishRuns: Operation<'publishRuns.list'> = async (
  context,
  { params, query, session, slices },
) => {
  context.directory.boxes(params.environment);
  const owner = { personId: session.personId, environment: params.environment };
  const runs: PublishRunSummary[] = [];
  for (const ended of query.ended === true ? [false, true] : [false]) {
    for await (const run of context.runs.list(owner, ended)) {
      await slices.giveWay();
      runs.push(await summaryOf(context, run));
    }
  }
  return { runs };
};

const publishRelease: Operation<'publishRuns.release'> = audited(
  {
    became: ofRun(({ plan: { box, version, release } }, { like }) => {
      if (box === null || version === null) return undefined;
      const at = { username: box.username, name: box.name, version: version.version };
      return release.state === 'done' || like(isMoved('release'), at);
    }),
  },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const { box, version, providers } = run.plan;
    if (box === null || version?.step.state !== 'done') {
      throw new ProblemError('invalid-request', "The version isn't in the registry yet.");
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
      throw new ProblemError(
        'invalid-request',
        `Providers that aren't ready yet: ${names}. Finish or remove them first.`,
      );
    }
    const caller = await boxesCaller(context, call);
    const at = { username: box.username, name: box.name, version: version.version };
    await doStep(context, {
      run,
      stepOf: ({ release }) => release,
      isWanted: (plan) => isSamePlan(run.plan, plan),
      what: `Version ${version.version}`,
      words: { created: 'was released. Clients can now find it.', used: 'was already released.' },
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
    let now = await runOf(context, call);
    while (now.state === 'open' && isSamePlan(run.plan, now.plan)) {
      if (await context.runs.end(run.id, 'released', now.revision)) break;
      now = await runOf(context, call);
    }
    if (!isSamePlan(run.plan, now.plan))
      await context.runs.log(
        run.id,
        'The plan was changed during the release. The run stays open for the changes.',
      );
    return runAnswer(context, run.id);
  },
);

const publishVersion: Operation<'publishRuns.publishVersion'> = audited(
  {
    became: ofRun(
      ({ plan: { box, version } }, { wrote }) => {
        if (box === null || version === null) return undefined;
        const { step, version: number, description } = version;
        return step.state === 'done' || wrote(versions, box, { version: number, description });
      },
      ({ version }) => version?.step,
    ),
  },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const { box, version } = run.plan;
    if (version === null) throw new ProblemError('invalid-request', 'Enter a version number first.');
    if (box?.step.state !== 'done')
      throw new ProblemError('invalid-request', 'Create the box before its version.');
    const caller = await boxesCaller(context, call);
    const at = { username: box.username, name: box.name, version: version.version };
    const fields = { version: version.version, description: version.description };
    return doStep(context, {
      run,
      stepOf: ({ version: now }) => now?.step,
      isWanted: (plan) => isSamePart(version, plan.version),
      what: `Version ${version.version}`,
      keep: (plan, step, found: z.output<typeof existingVersion> | null) => ({
        ...plan,
        version:
          plan.version === null
            ? null
            : { ...plan.version, step, stored: found === null ? null : z.parse(existingVersion, found) },
      }),
      work: async () => {
        const stored = await readVersion(caller, at);
        if (stored === null) return createOfStep(versions, caller, at, fields, call);
        if (stored.status === 'revoked') {
          throw new ProblemError(
            'invalid-request',
            `Version ${version.version} was revoked permanently. Choose another number.`,
            { service: 'boxes', environment: run.environment },
          );
        }
        const changes = differing(stored, { description: fields.description });
        const isAsPlanned = stored.status === 'unreleased' && Object.keys(changes).length === 0;
        if (isAsPlanned || call.body.existing === 'use') return 'used';
        return updateOfStep(versions, caller, at, { stored, changes, call });
      },
    });
  },
);

export const publishRunOperations = resource(inRuns, {
  'publishRuns.list': listPublishRuns,
  'publishRuns.get': getPublishRun,
  'publishRuns.create': createPublishRun,
  'publishRuns.update': updatePublishRun,
  'publishRuns.publishBox': publishBox,
  'publishRuns.publishVersion': publishVersion,
  'publishRuns.publishProvider': publishProvider,
  'publishRuns.release': publishRelease,
  'publishRuns.abandon': abandonPublishRun,
});
