import { conflict, outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { published } from '#shared/modules/became.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { sentBounds, withArchive } from '#shared/modules/sent-archive.ts';
import { storedVersion } from '#shared/modules/versions.ts';
import { publish } from '#upstreams/module-registry/management.ts';
import { isAnswer } from '#upstreams/service-error.ts';

export const publishModuleVersion: Operation<'moduleVersions.publish'> = audited(
  { became: published },
  async (context, { params, body, ...call }) => {
    const caller = await modulesCaller(context, { params, ...call });
    const { record } = storedVersion(caller, params);
    return withArchive(caller, body.archive, call.caller.signal, async (archive, by) => {
      // What the registry would refuse does not leave the console.
      const { sha256 } = await caller.registry.archives.pass(archive, sentBounds, by);
      try {
        return await publish(caller, params, { ...body, archive });
      } catch (error) {
        const failed = record.failed(error);
        if (failed === 'refused') throw error;
        const current = await record.read().catch(() => {
          throw outcomeUnknown(record, error);
        });
        // The answer was lost, and it is what was sent.
        if (failed === 'unknown' && current?.archive?.sha256 === sha256) return current;
        if (current !== null) throw await conflict({ ...record, expected: '', creates: true }, current);
        if (failed === 'unknown') throw outcomeUnknown(record, error);
        throw isAnswer(error, 409) ? givenOut(record, params.version) : error;
      }
    });
  },
);

/** The problem of the number of a version that was deleted. */
function givenOut(
  { resource }: Pick<ReturnType<typeof storedVersion>['record'], 'resource'>,
  version: string,
): ProblemError {
  const { service, environment } = resource;
  return new ProblemError('conflict', `Version ${version} was deleted, and its number can't be reused.`, {
    service,
    environment,
    conflict: {
      resource,
      reason: 'created',
      expectedRevision: null,
      currentRevision: null,
      current: null,
      base: null,
      changedBy: null,
      changedAt: null,
    },
  });
}
