/** The implementation of every operation of the contract. */
import type { Operations } from '../http/operation.ts';
import { createTarget } from './access/create-target.ts';
import { deleteTarget } from './access/delete-target.ts';
import { getTarget } from './access/get-target.ts';
import { listScopes } from './access/list-scopes.ts';
import { listTargets } from './access/list-targets.ts';
import { updateTarget } from './access/update-target.ts';
import { getPreferences } from './preferences/get-preferences.ts';
import { putPreference } from './preferences/put-preference.ts';
import { confirmSession } from './session/confirm-session.ts';
import { connect } from './session/connect.ts';
import { disconnect } from './session/disconnect.ts';
import { endOtherSessions } from './session/end-other-sessions.ts';
import { endSession } from './session/end-session.ts';
import { getSession } from './session/get-session.ts';
import { getSignInOptions } from './session/get-sign-in-options.ts';
import { listConnections } from './session/list-connections.ts';
import { listSessions } from './session/list-sessions.ts';
import { signIn } from './session/sign-in.ts';
import { signOut } from './session/sign-out.ts';

export const operations: Operations = {
  getSignInOptions,
  signIn,
  getSession,
  signOut,
  confirmSession,
  listSessions,
  endSession,
  endOtherSessions,
  listConnections,
  connect,
  disconnect,
  getPreferences,
  putPreference,
  listScopes,
  listTargets,
  getTarget,
  createTarget,
  updateTarget,
  deleteTarget,
};
