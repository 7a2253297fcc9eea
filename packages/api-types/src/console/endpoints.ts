/**
 * All operations of the console's API by resource: what the BFF routes, callers name and the OpenAPI document
 * describes.
 */
import type { EndpointDefinition } from '../contract.ts';
import { accessSessions } from './access-sessions.ts';
import { activity } from './activity.ts';
import type { Container } from './addresses/collection.ts';
import { boxAccountEndpoints, boxSettingsEndpoints, boxTokens, boxTwoFactor } from './box-accounts.ts';
import { boxes, boxOwners, boxProviders, boxVersions } from './box-operations.ts';
import { organizationMembers, organizations } from './box-organizations.ts';
import { cloudCredentials, cloudLeases } from './cloud-credentials.ts';
import { cloudEngines } from './cloud-engines.ts';
import { cloudRoles } from './cloud-roles.ts';
import { credentialLibraries } from './credential-libraries.ts';
import { credentials, credentialSources, credentialStores } from './credential-sources.ts';
import { hostCatalogs, hosts, hostSets } from './host-sources.ts';
import { moduleArchives, modules, moduleTokens, moduleVersions } from './module-operations.ts';
import { moves } from './moves.ts';
import { people } from './people.ts';
import { plugins } from './plugins.ts';
import { preferences } from './preferences.ts';
import { publishUploads } from './publish-uploads.ts';
import { publishRuns } from './publish.ts';
import { replicationSecondaries } from './replication-secondaries.ts';
import { replication } from './replication.ts';
import { scopes } from './scopes.ts';
import { search } from './search.ts';
import { secretEngines, secretMetadataEndpoints } from './secret-metadata.ts';
import { secretScans } from './secret-scans.ts';
import { secretTransfers } from './secret-transfers.ts';
import { secrets } from './secrets.ts';
import { connections, sessionEndpoints, sessions } from './session.ts';
import { targets } from './targets.ts';

export const endpoints = {
  session: sessionEndpoints,
  sessions,
  connections,
  preferences,
  scopes,
  targets,
  hostCatalogs,
  hostSets,
  hosts,
  credentialStores,
  credentials,
  credentialLibraries,
  credentialSources,
  accessSessions,
  people,
  activity,
  search,
  secretEngines,
  secrets,
  secretScans,
  secretTransfers,
  secretMetadata: secretMetadataEndpoints,
  plugins,
  cloudEngines,
  cloudRoles,
  cloudCredentials,
  cloudLeases,
  replication,
  replicationSecondaries,
  boxes,
  boxOwners,
  boxVersions,
  boxProviders,
  boxAccount: boxAccountEndpoints,
  boxTokens,
  boxTwoFactor,
  boxSettings: boxSettingsEndpoints,
  organizations,
  organizationMembers,
  publishRuns,
  publishUploads,
  modules,
  moduleVersions,
  moduleArchives,
  moduleTokens,
  moves,
} as const;

export type Endpoints = typeof endpoints;

/** The resources that are collections of records. */
export type CollectionName = {
  [Name in keyof Endpoints]: Endpoints[Name] extends { readonly list: { readonly container: Container } }
    ? Name
    : never;
}[keyof Endpoints];

type OneOf<Resource extends keyof Endpoints> = Endpoints[Resource][keyof Endpoints[Resource]];
type Endpoint = { [Resource in keyof Endpoints]: OneOf<Resource> }[keyof Endpoints];

/** `hostSets.update` */
export type EndpointName = Endpoint['name'];

type EndpointsByName = { readonly [Declared in Endpoint as Declared['name']]: Declared };

/** The declaration with a given name. */
export type EndpointOf<Name extends EndpointName> = EndpointsByName[Name];

export type ActivityAction = Extract<Endpoint, { readonly audit: string }>['audit'];

/** Any operation. */
export type NamedEndpoint = EndpointDefinition & { readonly name: EndpointName };

/** All operations as a list. */
export const allEndpoints: readonly NamedEndpoint[] = Object.values(endpoints).flatMap((operations) =>
  Object.values<NamedEndpoint>(operations),
);
