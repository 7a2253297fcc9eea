import { hasImage, providerLabel } from '@gatehouse/api-types/console/box-values';
import type { Provider } from '@gatehouse/api-types/console/boxes';
import type { Harm } from '@gatehouse/api-types/console/harm';
import { existingProvider } from '@gatehouse/api-types/console/publish';
import * as z from 'zod/mini';
import { boxesCaller } from '#api/boxes/caller.ts';
import { differing } from '#api/boxes/holds.ts';
import { providers } from '#api/boxes/kinds.ts';
import { hashOf } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { fileStates } from '#uploads/file-states.ts';
import { checkOpen, type StoredProvider } from '#uploads/runs.ts';
import { readProvider, readVersion } from '#upstreams/box-registry/boxes.ts';
import { ofRun } from '../became.ts';
import { doStep } from '../do-step.ts';
import { imageOf } from '../pass-image.ts';
import { isSamePart } from '../plan.ts';
import { createOfStep, updateOfStep } from '../record-step.ts';
import { providerOf, runAnswer, runOf } from '../run-answer.ts';

export const publishProvider: Operation<'publishRuns.publishProvider'> = audited(
  {
    became: ofRun(
      ({ plan: { box, version } }, { provider, wrote }) => {
        if (box === null || version === null || provider === undefined) return undefined;
        const place = { username: box.username, name: box.name, version: version.version };
        return provider.step.state === 'done' || wrote(providers, place, fieldsOf(provider));
      },
      (_plan, provider) => provider?.step,
    ),
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
    const fields = fieldsOf(provider);
    const compared = { name, url: fields.url, checksum, checksum_type };
    const called = providerLabel(provider);
    let hadImage = false;
    let mayReplace: StoredProvider['may_replace'] = null;
    /** Whether the file of an upload is added to a released version, because its delivery follows the step. */
    let adds = false;
    await doStep(context, {
      run,
      stepOf: ({ providers: now }) => now.find(({ id }) => id === provider.id)?.step,
      isWanted: (plan) => isSamePart(provider, plan.providers.find(({ id }) => id === provider.id) ?? null),
      provider: called,
      what: `The provider ${called}`,
      keep: (plan, step, found: z.output<typeof existingProvider> | null) => {
        const stored = found === null ? null : z.parse(existingProvider, found);
        return {
          ...plan,
          providers: plan.providers.map((one) =>
            one.id === provider.id
              ? {
                  ...one,
                  step,
                  stored,
                  had_image: hadImage,
                  may_replace: mayReplace,
                  may_add: adds && step.state === 'done',
                }
              : one,
          ),
        };
      },
      work: async () => {
        const stored = await readProvider(caller, at);
        const { existing } = call.body;
        const upload = await context.uploads.of(run.id, provider.id);
        adds =
          fileStates.some((state) => state === upload?.state) &&
          (await readVersion(caller, versionPlace))?.status === 'active';
        const isOwn = upload !== undefined && upload.attempts > 0;
        const isHosted = source.kind === 'image' && stored !== null && hasImage(stored);
        // Whether this run's file, sent or still to come, replaces an image that this run hasn't delivered.
        const takesItsPlace =
          isHosted && (existing === 'update' || (upload !== undefined && (existing === 'use' || !isOwn)));
        const harm: Harm | undefined = takesItsPlace ? 'destroys' : adds ? 'reaches' : undefined;
        const harms = harm && { harmOfChanges: () => harm, harmOfNew: () => Promise.resolve(harm) };
        const kind = { ...providers, ...harms };
        if (stored === null) return createOfStep(kind, caller, versionPlace, fields, call);
        const isFree = source.kind === 'url' || stored.available !== true || isOwn;
        // If the provider is the default but shouldn't be, the new default changes that.
        const becomesDefault = is_default && stored.is_default === false;
        const differences = differing(stored, { ...compared, ...(becomesDefault && { is_default }) });
        const isSummed = 'checksum' in differences || 'checksum_type' in differences;
        // A checksum and its type are sent together.
        const changes = { ...differences, ...(isSummed && { checksum, checksum_type }) };
        const isAsPlanned = isFree && Object.keys(changes).length === 0;
        if (existing === 'use' || isAsPlanned) {
          await call.guard.pass(harm);
          hadImage = existing === 'use' && isHosted;
          mayReplace = takesItsPlace ? imageOf(stored) : null;
          return 'used';
        }
        // An image can arrive without a change of editable fields, and an update deletes it.
        const shownBy = (shown: Provider) => hashOf([shown.revision, hasImage(shown)]);
        const result = await updateOfStep(kind, caller, at, { stored, changes, call, shownBy });
        mayReplace = result === 'updated' && takesItsPlace ? imageOf(stored) : null;
        return result;
      },
    });
    if (source.kind === 'image') await context.publishing.providerDone(run.id, provider.id, call.session);
    return runAnswer(context, run.id);
  },
);

/** The fields of the planned provider at the registry. */
function fieldsOf({ name, architecture, is_default, source, checksum, checksum_type }: StoredProvider) {
  return {
    name,
    architecture,
    is_default,
    url: source.kind === 'url' ? source.url : '',
    checksum,
    checksum_type,
  };
}
