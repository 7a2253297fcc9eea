/** Every operation of the console's API by name: what the BFF routes, the page's client calls and OpenAPI documents. */
import * as preferences from './preferences.ts';
import * as scopes from './scopes.ts';
import * as session from './session.ts';
import * as targets from './targets.ts';

export const endpoints = {
  getSignInOptions: session.getSignInOptions,
  signIn: session.signIn,
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
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
