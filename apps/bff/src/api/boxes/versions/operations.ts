import type { RecordedCall } from '#audit/recording.ts';
import { pathsOf } from '#audit/wish.ts';
import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from '#shared/boxes/records.ts';
import { releaseBoxVersion, revokeBoxVersion } from './move-box-version.ts';

/** Which version it is says its place: the trail does not call it a field. */
const address = ({ body }: RecordedCall) => ({ paths: pathsOf(body).filter((path) => path !== 'version') });

export const versionOperations = resource(
  { ...inBoxes, address },
  {
    'boxVersions.get': getRecord(versions),
    'boxVersions.create': createRecord(versions),
    'boxVersions.update': updateRecord(versions),
    'boxVersions.delete': deleteRecord(versions),
    'boxVersions.release': releaseBoxVersion,
    'boxVersions.revoke': revokeBoxVersion,
  },
);
