import {
  accessSessions,
  credentialLibraries,
  credentials,
  credentialStores,
  hostCatalogs,
  hosts,
  hostSets,
  people,
  targets,
} from './access.ts';
import { activity } from './activity.ts';
import type { Address } from './address.ts';
import {
  boxes,
  boxProviders,
  boxSettings,
  boxTokens,
  boxTwoFactor,
  boxVersions,
  organizationMembers,
  organizations,
} from './boxes.ts';
import { cloudCredentials, cloudEngines, cloudLeases, cloudRoles } from './cloud.ts';
import { modules, moduleTokens, moduleVersions } from './modules.ts';
import { moves } from './moves.ts';
import { plugins } from './plugins.ts';
import { publishRuns, publishUploads } from './publish.ts';
import { replication, replicationSecondaries } from './replication.ts';
import { secretEngines, secretMetadata, secrets, secretScans, secretTransfers } from './secrets.ts';
import { connections, session, sessions } from './session.ts';

const recorded: readonly Readonly<Record<string, Address>>[] = [
  session,
  sessions,
  connections,
  targets,
  accessSessions,
  hostCatalogs,
  hostSets,
  hosts,
  credentialStores,
  credentials,
  credentialLibraries,
  people,
  activity,
  secrets,
  secretScans,
  secretTransfers,
  secretMetadata,
  secretEngines,
  plugins,
  cloudEngines,
  cloudRoles,
  cloudCredentials,
  cloudLeases,
  replication,
  replicationSecondaries,
  boxes,
  boxVersions,
  boxProviders,
  boxTokens,
  boxTwoFactor,
  boxSettings,
  organizations,
  organizationMembers,
  publishRuns,
  publishUploads,
  modules,
  moduleVersions,
  moduleTokens,
  moves,
];

/** The actions of the audit trail: one for every recorded operation, in the order of the console. */
export const activityActions: readonly string[] = [
  ...new Set(
    recorded
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ audit }) => (typeof audit === 'string' ? [audit] : [])),
  ),
];
