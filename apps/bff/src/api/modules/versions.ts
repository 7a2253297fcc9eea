/** The parts of guarded writes of modules and their versions. */
import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import type { FailedWrite } from '#conflict/guarded-write.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import { readModule, readVersion } from '#upstreams/module-registry/modules.ts';
import type { ModulePlace, VersionPlace } from '#upstreams/module-registry/resources.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { idOf } from './caller.ts';

/** A stored version. */
export function storedVersion(caller: ModulesCaller, at: VersionPlace) {
  let etag: string | undefined;
  return {
    /** The ETag from the last read, which lets the registry check the revision too. */
    etag: () => etag,
    record: {
      resource: resourceOf(caller, 'module-version', at),
      read: async (): Promise<ModuleVersion | null> => {
        const found = await readVersion(caller, at);
        etag = found?.etag;
        return found?.version ?? null;
      },
      revisionOf: ({ revision }: ModuleVersion): string => revision,
      changedAt: ({ deprecation }: ModuleVersion): string => deprecation?.time ?? '',
      failed: whatFailed,
    },
  };
}

/** A stored module. */
export function storedModule(caller: ModulesCaller, at: ModulePlace) {
  let etag: string | undefined;
  return {
    /** As for a version. */
    etag: () => etag,
    record: {
      resource: resourceOf(caller, 'module', at),
      read: async (): Promise<Module | null> => {
        const found = await readModule(caller, at);
        etag = found?.etag;
        return found?.module ?? null;
      },
      revisionOf: ({ revision }: Module): string => revision,
      failed: whatFailed,
    },
  };
}

function resourceOf({ transport: { environment, service } }: ModulesCaller, kind: string, at: ModulePlace) {
  return { environment, service, kind, id: idOf(at) };
}

/** A registry answers 404 to a deleted record, and 409 or 412 to a changed one. A gateway's 502 or 504 says nothing. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if ([404, 409, 412].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** The problem of a module or version that doesn't exist or is private. */
export function notThere({ transport: { environment, service } }: ModulesCaller, what: string): ServiceError {
  return new ServiceError(
    'not-found',
    `The module registry has no such ${what}, or you aren't allowed to see it.`,
    { environment, service },
    { delivery: 'answered', status: 404 },
  );
}
