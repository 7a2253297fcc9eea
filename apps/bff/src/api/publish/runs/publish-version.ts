import { existingVersion } from '@gatehouse/api-types/console/publish';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { differing } from '#shared/boxes/holds.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { ofRun } from '#shared/publish/became.ts';
import { doStep } from '#shared/publish/do-step.ts';
import { createOfStep, updateOfStep } from '#shared/publish/record-step.ts';
import { runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { readVersion } from '#upstreams/box-registry/boxes.ts';

export const publishVersion: Operation<'publishRuns.publishVersion'> = audited(
  { became: ofRun(({ plan }) => plan.version?.step.state === 'done') },
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
      run: run.id,
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
