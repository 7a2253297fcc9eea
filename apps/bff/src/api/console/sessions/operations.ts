import { resource } from '#operation/operation.ts';
import { inSessions } from '#shared/console/sessions.ts';
import { confirmSession } from './confirm-session.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { endSession } from './end-session.ts';
import { findSession } from './find-session.ts';
import { getSession } from './get-session.ts';
import { getSignInOptions } from './get-sign-in-options.ts';
import { listSessions } from './list-sessions.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export const sessionOperations = resource(inSessions, {
  'session.getSignInOptions': getSignInOptions,
  'session.signIn': signIn,
  'session.find': findSession,
  'session.get': getSession,
  'session.signOut': signOut,
  'session.confirm': confirmSession,
  'sessions.list': listSessions,
  'sessions.end': endSession,
  'sessions.endOthers': endOtherSessions,
});
