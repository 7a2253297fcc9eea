import { hasImage, providerLabel } from '@gatehouse/api-types/console/box-values';
import { harmOfProviderChanges } from '@gatehouse/api-types/console/harm-of';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { holds } from '#shared/boxes/holds.ts';
import { providers } from '#shared/boxes/kinds.ts';
import { createStored } from '#shared/boxes/records.ts';
import { ofRun } from '#shared/publish/became.ts';
import { doStep } from '#shared/publish/do-step.ts';
import { providerOf, runAnswer, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { readProvider, readVersion, updateProvider } from '#upstreams/box-registry/boxes.ts';

export const publishProvider: Operation<'publishRuns.publishProvider'> = audited(
  {
    became: ofRun((_run, { provider }) => provider?.step.state === 'done'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const provider = providerOf(run, call.params.provider);
    const { box, version } = run.plan;
    if (box === null || version?.step.state !== 'done') {
      throw new ProblemError('invalid-request', 'Create the version before its providers.');
    }
    const caller = await boxesCaller(context, call);
    const { name, architecture, is_default, source, checksum, checksum_type } = provider;
    const versionPlace = { username: box.username, name: box.name, version: version.version };
    const at = { ...versionPlace, provider: name, architecture };
    const url = source.kind === 'url' ? source.url : '';
    const fields = { name, architecture, is_default, url, checksum, checksum_type };
    const compared = { name, url, checksum, checksum_type };
    const called = providerLabel(provider);
    let hadImage = false;
    let replaces = false;
    await doStep(context, {
      run: run.id,
      provider: called,
      what: `The provider ${called}`,
      keep: (plan, step) => ({
        ...plan,
        providers: plan.providers.map((one) =>
          one.id === provider.id ? { ...one, step, had_image: hadImage, replaces } : one,
        ),
      }),
      work: async () => {
        const stored = await readProvider(caller, at);
        if (stored === null) {
          await createStored(providers, caller, versionPlace, fields, call);
          return 'created';
        }
        const { existing } = call.body;
        const upload = await context.uploads.of(run.id, provider.id);
        const isOwn = upload !== undefined && upload.attempts > 0;
        const isHosted = source.kind === 'image' && hasImage(stored);
        // The file that this run has, or is going to have. One that is on its way is this run's own.
        replaces =
          isHosted && (existing === 'update' || (upload !== undefined && (existing === 'use' || !isOwn)));
        const isFree = source.kind === 'url' || stored.available !== true || isOwn;
        // That it is the default although another one was to be is for the other one to change.
        const becomesDefault = is_default && stored.is_default === false;
        const isAsPlanned = holds(stored, compared) && isFree && !becomesDefault;
        if (existing === undefined && !isAsPlanned) return 'exists';
        const isKept = existing === 'use' || isAsPlanned;
        const changes = isKept ? {} : { ...compared, ...(becomesDefault && { is_default }) };
        await call.guard.pass(
          replaces
            ? 'destroys'
            : harmOfProviderChanges(changes, stored, await readVersion(caller, versionPlace)),
        );
        hadImage = existing === 'use' && isHosted;
        if (isKept) return 'used';
        await updateProvider(caller, at, changes);
        return 'updated';
      },
    });
    if (source.kind === 'image') await context.publishing.providerDone(run.id, provider.id, call.session);
    return runAnswer(context, run.id);
  },
);
