import type { DeprecationFields, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { guardedWrite, conflict, outcomeUnknown, guardedDelete } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import { deprecate, restore, publish, deleteVersion } from '#upstreams/module-registry/management.ts';
import { locate, readWholeVersion } from '#upstreams/module-registry/modules.ts';
import type { VersionPlace } from '#upstreams/module-registry/resources.ts';
import { isAnswer } from '#upstreams/service-error.ts';
import { said, published, deleted } from '../became.ts';
import { inModules, modulesCaller } from '../caller.ts';
import { isSaid } from '../is-said.ts';
import { sentBounds, withArchive } from '../sent-archive.ts';
import { storedVersion, notThere } from '../versions.ts';

const deleteModuleVersion: Operation<'moduleVersions.delete'> = audited(
  { became: deleted },
  async (context, call) => {
    const caller = await modulesCaller(context, call);
    const { record, etag } = storedVersion(caller, call.params);
    await guardedDelete({
      ...record,
      expected: call.revision,
      remove: () => deleteVersion(caller, call.params, etag()),
    });
  },
);

const getModuleVersion: Operation<'moduleVersions.get'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const version = await readWholeVersion(caller, call.params);
  if (version === null) throw notThere(caller, 'version');
  return version;
});

const locateModuleVersion: Operation<'moduleVersions.locate'> = async (context, call) =>
  locate(await modulesCaller(context, call), call.params);

const publishModuleVersion: Operation<'moduleVersions.publish'> = audited(
  { became: published },
  async (context, { params, body, ...call }) => {
    const caller = await modulesCaller(context, { params, ...call });
    const { record } = storedVersion(caller, params);
    return withArchive(caller, body.archive, call.caller.signal, async (archive, by) => {
      // Archives that the registry would refuse aren't sent.
      const { sha256 } = await caller.registry.archives.pass(archive, sentBounds, by);
      try {
        return await publish(caller, params, { ...body, archive });
      } catch (error) {
        const failed = record.failed(error);
        if (failed === 'refused') throw error;
        const current = await record.read().catch(() => {
          throw outcomeUnknown(record, error);
        });
        // The answer to this request, or to the one that it repeats, was lost, and the stored version is the sent one.
        const isSent = current?.archive?.sha256 === sha256;
        if (isSent && (failed === 'unknown' || isRepeated(current, body, caller))) return current;
        if (current !== null) throw await conflict({ ...record, expected: '', creates: true }, current);
        if (failed === 'unknown') throw outcomeUnknown(record, error);
        throw isAnswer(error, 409) ? givenOut(record, params.version) : error;
      }
    });
  },
);

/** How long after publishing a version the same request counts as a repetition, in milliseconds. */
const repeatedWithin = 10 * 60_000;

/** Whether the caller has just published a version with these fields, which nobody has changed since. */
function isRepeated(
  { owner, description, source, published_time, deprecation }: ModuleVersion,
  sent: Pick<ModuleVersion, 'description' | 'source'>,
  caller: ModulesCaller,
): boolean {
  return (
    owner === caller.username &&
    source === sent.source &&
    // The registry takes an empty one from the archive.
    ['', description].includes(sent.description) &&
    deprecation === null &&
    Date.parse(published_time) > caller.registry.clock.now() - repeatedWithin
  );
}

/** A call that deprecates, revokes or restores a version. */
interface GuardedCall extends ServiceCall {
  readonly params: VersionPlace & { readonly environment: string };
  readonly revision: string;
  readonly note: AuditNote;
}

const deprecateModuleVersion: Operation<'moduleVersions.deprecate'> = audited(
  { became: said },
  (context, call) => say(context, call, call.body),
);

const restoreModuleVersion: Operation<'moduleVersions.restore'> = audited({ became: said }, (context, call) =>
  say(context, call, null),
);

export const moduleVersionOperations = resource(inModules, {
  'moduleVersions.get': getModuleVersion,
  'moduleVersions.locate': locateModuleVersion,
  'moduleVersions.publish': publishModuleVersion,
  'moduleVersions.deprecate': deprecateModuleVersion,
  'moduleVersions.restore': restoreModuleVersion,
  'moduleVersions.delete': deleteModuleVersion,
});

async function say(context: Context, call: GuardedCall, wanted: DeprecationFields | null) {
  const caller = await modulesCaller(context, call);
  const { record, etag } = storedVersion(caller, call.params);
  return guardedWrite({
    ...record,
    note: call.note,
    expected: call.revision,
    readFirst: true,
    equalsSent: (stored) => isSaid(stored, wanted),
    send: () =>
      wanted === null ? restore(caller, call.params, etag()) : deprecate(caller, call.params, wanted, etag()),
  });
}

/** The problem of reusing a deleted version's number. */
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
