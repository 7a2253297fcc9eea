import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { linked, linkedWrite } from '#shared/access/linked-targets.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { targets } from '#upstreams/access-controller/targets.ts';
import { authorizeSessionByName } from './authorize-session-by-name.ts';
import { authorizeSession } from './authorize-session.ts';
import { changeCredentialSources } from './change-credential-sources.ts';
import { changeHostSources } from './change-host-sources.ts';
import { targetsUsingSecret } from './targets-using-secret.ts';

export const targetOperations = resource(inAccess, {
  'targets.list': listRecords(targets),
  'targets.get': linked(getRecord(targets)),
  'targets.create': createRecord(targets),
  'targets.update': linkedWrite(
    // Some controllers store the address of a stale update and refuse only the rest.
    updateRecord(targets, { readFirst: ({ address }) => address !== undefined }),
  ),
  'targets.delete': deleteRecord(targets),
  'targets.changeHostSources': changeHostSources,
  'targets.changeCredentialSources': changeCredentialSources,
  'credentialLibraries.targetsUsingSecret': targetsUsingSecret,
  'accessSessions.authorize': authorizeSession,
  'accessSessions.authorizeByName': authorizeSessionByName,
});
