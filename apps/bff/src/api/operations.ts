/** The implementation of every operation of the contract. */
import type { Operations, Preconditions } from '../http/operation.ts';
import { authorizeSessionByName } from './access/authorize-session-by-name.ts';
import { authorizeSession } from './access/authorize-session.ts';
import { cancelAccessSession } from './access/cancel-access-session.ts';
import { changeCredentialSources } from './access/change-credential-sources.ts';
import { changeHostSetHosts } from './access/change-host-set-hosts.ts';
import { changeHostSources } from './access/change-host-sources.ts';
import { changeOwnPassword } from './access/change-own-password.ts';
import { credentialSourceOperations } from './access/credential-sources.ts';
import { getAccessSession } from './access/get-access-session.ts';
import { getCredentialLibrary } from './access/get-credential-library.ts';
import { hostSourceOperations } from './access/host-sources.ts';
import { linked } from './access/linked-targets.ts';
import { listAccessSessions } from './access/list-access-sessions.ts';
import { listScopes } from './access/list-scopes.ts';
import { peopleOperations } from './access/people.ts';
import { resetPassword } from './access/reset-password.ts';
import { searchCredentialSources, searchHostSources } from './access/source-choices.ts';
import { targetsUsingSecret } from './access/targets-using-secret.ts';
import { targetOperations } from './access/targets.ts';
import { exportActivity } from './activity/export-activity.ts';
import { getActivity } from './activity/get-activity.ts';
import { listActivity } from './activity/list-activity.ts';
import { settleActivity } from './activity/settle-activity.ts';
import { verifyActivity } from './activity/verify-activity.ts';
import { boxOperations } from './boxes/operations.ts';
import { requestTwoFactorCodePrecondition } from './boxes/request-two-factor-code.ts';
import { getPreferences } from './preferences/get-preferences.ts';
import { putPreference } from './preferences/put-preference.ts';
import { publishOperations } from './publish/operations.ts';
import { secretOperations } from './secrets/operations.ts';
import { confirmSession } from './session/confirm-session.ts';
import { connect } from './session/connect.ts';
import { disconnect } from './session/disconnect.ts';
import { endOtherSessions } from './session/end-other-sessions.ts';
import { endSession } from './session/end-session.ts';
import { findSession } from './session/find-session.ts';
import { getSession } from './session/get-session.ts';
import { getSignInOptions } from './session/get-sign-in-options.ts';
import { listConnections } from './session/list-connections.ts';
import { listSessions } from './session/list-sessions.ts';
import { signIn, signInPrecondition } from './session/sign-in.ts';
import { signOut } from './session/sign-out.ts';

export const operations: Operations = {
  getSignInOptions,
  signIn,
  findSession,
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
  ...targetOperations,
  changeHostSources: linked(changeHostSources),
  changeCredentialSources: linked(changeCredentialSources),
  ...hostSourceOperations,
  changeHostSetHosts,
  searchHostSources,
  ...credentialSourceOperations,
  searchCredentialSources,
  getCredentialLibrary,
  targetsUsingSecret,
  authorizeSession,
  authorizeSessionByName,
  listAccessSessions,
  getAccessSession,
  cancelAccessSession,
  ...peopleOperations,
  resetPassword,
  changeOwnPassword,
  listActivity,
  getActivity,
  verifyActivity,
  exportActivity,
  settleActivity,
  ...secretOperations,
  ...boxOperations,
  ...publishOperations,
};

export const preconditions: Preconditions = {
  signIn: signInPrecondition,
  requestTwoFactorCode: requestTwoFactorCodePrecondition,
};
