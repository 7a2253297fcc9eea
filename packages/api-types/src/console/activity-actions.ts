/**
 * What the audit trail tells apart, as `<kind>.<verb>`: the kind is that of the resource. Every operation that is not
 * a GET names one of these, or says that it is not audited.
 */
export const activityActions = [
  'console-session.sign-in',
  'console-session.sign-out',
  'console-session.confirm',
  'console-session.end',
  'console-session.end-others',
  'connection.connect',
  'connection.disconnect',
  'target.create',
  'target.update',
  'target.delete',
  'target.change-host-sources',
  'target.change-credential-sources',
  'target.authorize-session',
  'host-catalog.create',
  'host-catalog.update',
  'host-catalog.delete',
  'host-set.create',
  'host-set.update',
  'host-set.delete',
  'host-set.change-hosts',
  'host.create',
  'host.update',
  'host.delete',
  'credential-store.create',
  'credential-store.update',
  'credential-store.delete',
  'credential.create',
  'credential.update',
  'credential.delete',
  'session.cancel',
  'person.create',
  'person.update',
  'person.delete',
  'person.reset-password',
  'person.change-own-password',
  'activity.settle',
] as const;

export type ActivityAction = (typeof activityActions)[number];
