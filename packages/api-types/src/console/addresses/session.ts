/** Signing in and out, the user's sessions, and the connection to each service. */
import { addresses } from './address.ts';

const connectionPath = '/api/environments/:environment/connections/:service';

export const session = addresses('session', {
  getSignInOptions: { method: 'GET', path: '/api/sign-in-options', anonymous: true },
  signIn: { method: 'POST', path: '/api/session', anonymous: true, audit: 'console-session.sign-in' },
  find: { method: 'GET', path: '/api/session/current', anonymous: true },
  get: { method: 'GET', path: '/api/session' },
  signOut: { method: 'DELETE', path: '/api/session', audit: 'console-session.sign-out' },
  confirm: { method: 'POST', path: '/api/session/confirm', audit: 'console-session.confirm' },
});

export const sessions = addresses('sessions', {
  list: { method: 'GET', path: '/api/sessions' },
  end: { method: 'DELETE', path: '/api/sessions/:id', audit: 'console-session.end' },
  endOthers: {
    method: 'POST',
    path: '/api/sessions/end-others',
    audit: 'console-session.end-others',
  },
});

export const connections = addresses('connections', {
  list: { method: 'GET', path: '/api/connections' },
  connect: { method: 'POST', path: connectionPath, audit: 'connection.connect' },
  disconnect: { method: 'DELETE', path: connectionPath, audit: 'connection.disconnect' },
});
