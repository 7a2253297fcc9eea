/** The implementation of every operation of the contract. */
import type { Operations, Preconditions } from '#operation/operation.ts';
import { linked } from '#shared/access/linked-targets.ts';
import { searchCredentialSources, searchHostSources } from '#shared/access/source-choices.ts';
import { getCredentialLibrary } from './access/credential-libraries/get-credential-library.ts';
import { credentialSourceOperations } from './access/credential-stores/operations.ts';
import { changeHostSetHosts } from './access/host-sets/change-host-set-hosts.ts';
import { hostSourceOperations } from './access/host-sets/operations.ts';
import { changeOwnPassword } from './access/people/change-own-password.ts';
import { peopleOperations } from './access/people/operations.ts';
import { resetPassword } from './access/people/reset-password.ts';
import { listScopes } from './access/scopes/list-scopes.ts';
import { cancelAccessSession } from './access/sessions/cancel-access-session.ts';
import { getAccessSession } from './access/sessions/get-access-session.ts';
import { listAccessSessions } from './access/sessions/list-access-sessions.ts';
import { authorizeSessionByName } from './access/targets/authorize-session-by-name.ts';
import { authorizeSession } from './access/targets/authorize-session.ts';
import { changeCredentialSources } from './access/targets/change-credential-sources.ts';
import { changeHostSources } from './access/targets/change-host-sources.ts';
import { targetOperations } from './access/targets/operations.ts';
import { targetsUsingSecret } from './access/targets/targets-using-secret.ts';
import { boxOperations } from './boxes/boxes/operations.ts';
import { requestTwoFactorCodePrecondition } from './boxes/two-factor/request-two-factor-code.ts';
import { exportActivity } from './console/activity/export-activity.ts';
import { getActivity } from './console/activity/get-activity.ts';
import { listActivity } from './console/activity/list-activity.ts';
import { settleActivity } from './console/activity/settle-activity.ts';
import { verifyActivity } from './console/activity/verify-activity.ts';
import { connect } from './console/connections/connect.ts';
import { disconnect } from './console/connections/disconnect.ts';
import { listConnections } from './console/connections/list-connections.ts';
import { getPreferences } from './console/preferences/get-preferences.ts';
import { putPreference } from './console/preferences/put-preference.ts';
import { confirmSession } from './console/sessions/confirm-session.ts';
import { endOtherSessions } from './console/sessions/end-other-sessions.ts';
import { endSession } from './console/sessions/end-session.ts';
import { findSession } from './console/sessions/find-session.ts';
import { getSession } from './console/sessions/get-session.ts';
import { getSignInOptions } from './console/sessions/get-sign-in-options.ts';
import { listSessions } from './console/sessions/list-sessions.ts';
import { signIn, signInPrecondition } from './console/sessions/sign-in.ts';
import { signOut } from './console/sessions/sign-out.ts';
import { publishOperations } from './publish/runs/operations.ts';
import { secretOperations } from './secrets/secrets/operations.ts';

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
