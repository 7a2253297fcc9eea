/** Every operation of the console's API by name: what the BFF routes, the page's client calls and OpenAPI documents. */
import * as accessSessions from './access-sessions.ts';
import * as activity from './activity.ts';
import * as credentialSources from './credential-sources.ts';
import * as hostSources from './host-sources.ts';
import * as people from './people.ts';
import * as preferences from './preferences.ts';
import * as scopes from './scopes.ts';
import * as session from './session.ts';
import * as targets from './targets.ts';

export const endpoints = {
  getSignInOptions: session.getSignInOptions,
  signIn: session.signIn,
  findSession: session.findSession,
  getSession: session.getSession,
  signOut: session.signOut,
  confirmSession: session.confirmSession,
  listSessions: session.listSessions,
  endSession: session.endSession,
  endOtherSessions: session.endOtherSessions,
  listConnections: session.listConnections,
  connect: session.connect,
  disconnect: session.disconnect,
  getPreferences: preferences.getPreferences,
  putPreference: preferences.putPreference,
  listScopes: scopes.listScopes,
  listTargets: targets.listTargets,
  getTarget: targets.getTarget,
  createTarget: targets.createTarget,
  updateTarget: targets.updateTarget,
  deleteTarget: targets.deleteTarget,
  changeHostSources: targets.changeHostSources,
  changeCredentialSources: targets.changeCredentialSources,
  listHostCatalogs: hostSources.listHostCatalogs,
  getHostCatalog: hostSources.getHostCatalog,
  createHostCatalog: hostSources.createHostCatalog,
  updateHostCatalog: hostSources.updateHostCatalog,
  deleteHostCatalog: hostSources.deleteHostCatalog,
  listHostSets: hostSources.listHostSets,
  getHostSet: hostSources.getHostSet,
  createHostSet: hostSources.createHostSet,
  updateHostSet: hostSources.updateHostSet,
  deleteHostSet: hostSources.deleteHostSet,
  changeHostSetHosts: hostSources.changeHostSetHosts,
  listHosts: hostSources.listHosts,
  getHost: hostSources.getHost,
  createHost: hostSources.createHost,
  updateHost: hostSources.updateHost,
  deleteHost: hostSources.deleteHost,
  searchHostSources: hostSources.searchHostSources,
  listCredentialStores: credentialSources.listCredentialStores,
  getCredentialStore: credentialSources.getCredentialStore,
  createCredentialStore: credentialSources.createCredentialStore,
  updateCredentialStore: credentialSources.updateCredentialStore,
  deleteCredentialStore: credentialSources.deleteCredentialStore,
  listCredentials: credentialSources.listCredentials,
  getCredential: credentialSources.getCredential,
  createCredential: credentialSources.createCredential,
  updateCredential: credentialSources.updateCredential,
  deleteCredential: credentialSources.deleteCredential,
  searchCredentialSources: credentialSources.searchCredentialSources,
  authorizeSession: accessSessions.authorizeSession,
  authorizeSessionByName: accessSessions.authorizeSessionByName,
  listAccessSessions: accessSessions.listAccessSessions,
  getAccessSession: accessSessions.getAccessSession,
  cancelAccessSession: accessSessions.cancelAccessSession,
  listPeople: people.listPeople,
  getPerson: people.getPerson,
  createPerson: people.createPerson,
  updatePerson: people.updatePerson,
  deletePerson: people.deletePerson,
  resetPassword: people.resetPassword,
  changeOwnPassword: people.changeOwnPassword,
  listActivity: activity.listActivity,
  getActivity: activity.getActivity,
  verifyActivity: activity.verifyActivity,
  exportActivity: activity.exportActivity,
  settleActivity: activity.settleActivity,
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
