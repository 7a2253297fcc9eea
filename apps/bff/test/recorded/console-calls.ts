import { canary, type RecordedCall } from './recorded-call.ts';

const signIn = {
  environment: 'test',
  service: 'access',
  credentials: { method: 'password', login_name: 'admin', password: canary },
};

/** Recorded calls of the console itself. */
export const consoleCalls = {
  'session.signIn': { body: signIn },
  'session.signOut': { record: 'own session' },
  'session.confirm': { record: 'own session', body: { environment: 'test', secret: canary } },
  'sessions.end': { record: 'none' },
  'sessions.endOthers': { record: 'own session' },
  'connections.connect': { record: 'access', body: { credentials: signIn.credentials } },
  'connections.disconnect': { record: 'access' },
  'preferences.put': { body: { value: canary } },
  'people.create': {
    paths: ['login_name', 'password', 'email'],
    body: { login_name: 'somebody', password: canary, roles: {}, email: `${canary}@example.com` },
  },
  'people.update': { record: 'none', paths: ['email'], body: { email: canary } },
  'people.delete': { record: 'none' },
  'people.resetPassword': { record: 'none', paths: ['new_password'], body: { new_password: canary } },
  'people.lockOut': { record: 'none' },
  'people.endConsoleSessions': { record: 'none' },
  'people.changeOwnPassword': {
    paths: ['current_password', 'new_password'],
    body: { current_password: canary, new_password: canary },
  },
  'activity.settle': { record: '1' },
  'activity.export': {},
} as const satisfies Readonly<Record<string, RecordedCall>>;
