import type { Role } from '@gatehouse/service-kit/accounts';
import { Refusal } from './refusal.ts';

export type ResourceType =
  | 'scope'
  | 'auth-method'
  | 'auth-token'
  | 'user'
  | 'target'
  | 'host-catalog'
  | 'host-set'
  | 'host'
  | 'credential-store'
  | 'credential'
  | 'credential-library'
  | 'session'
  | 'account';

const reading = ['no-op', 'read'] as const;
const writing = [...reading, 'update', 'delete'] as const;
const targetActions = [
  ...writing,
  'add-host-sources',
  'set-host-sources',
  'remove-host-sources',
  'add-credential-sources',
  'set-credential-sources',
  'remove-credential-sources',
  'authorize-session',
] as const;
const hostSetActions = [...writing, 'add-hosts', 'set-hosts', 'remove-hosts'] as const;

/**
 * Actions on one resource, by role; others are forbidden. Lists only actions that the service has, since clients
 * offer what `authorized_actions` contains.
 */
const itemActions: Readonly<Record<ResourceType, Readonly<Record<Role, readonly string[]>>>> = {
  scope: {
    administrator: ['no-op', 'read', 'update', 'delete'],
    operator: ['no-op', 'read'],
    'read-only': ['no-op', 'read'],
  },
  'auth-method': {
    administrator: ['no-op', 'read', 'authenticate'],
    operator: ['no-op', 'read', 'authenticate'],
    'read-only': ['no-op', 'read', 'authenticate'],
  },
  'auth-token': {
    administrator: ['no-op', 'read', 'delete'],
    operator: ['no-op'],
    'read-only': ['no-op'],
  },
  user: { administrator: writing, operator: reading, 'read-only': reading },
  account: { administrator: [...reading, 'set-password'], operator: reading, 'read-only': reading },
  target: { administrator: targetActions, operator: targetActions, 'read-only': reading },
  'host-catalog': { administrator: writing, operator: writing, 'read-only': reading },
  'host-set': { administrator: hostSetActions, operator: hostSetActions, 'read-only': reading },
  host: { administrator: writing, operator: writing, 'read-only': reading },
  'credential-store': { administrator: writing, operator: writing, 'read-only': reading },
  credential: { administrator: writing, operator: writing, 'read-only': reading },
  'credential-library': { administrator: writing, operator: writing, 'read-only': reading },
  session: { administrator: ['no-op', 'read', 'cancel'], operator: ['no-op'], 'read-only': ['no-op'] },
};

/** Actions on a collection, by role. */
const collectionActions: Readonly<Record<ResourceType, Readonly<Record<Role, readonly string[]>>>> = {
  scope: { administrator: ['create', 'list'], operator: ['list'], 'read-only': ['list'] },
  'auth-method': { administrator: ['list'], operator: ['list'], 'read-only': ['list'] },
  'auth-token': { administrator: ['list'], operator: ['list'], 'read-only': ['list'] },
  user: { administrator: ['create', 'list'], operator: ['list'], 'read-only': ['list'] },
  account: { administrator: ['list'], operator: ['list'], 'read-only': ['list'] },
  target: { administrator: ['create', 'list'], operator: ['create', 'list'], 'read-only': ['list'] },
  'host-catalog': { administrator: ['create', 'list'], operator: ['create', 'list'], 'read-only': ['list'] },
  'host-set': { administrator: ['create', 'list'], operator: ['create', 'list'], 'read-only': ['list'] },
  host: { administrator: ['create', 'list'], operator: ['create', 'list'], 'read-only': ['list'] },
  'credential-store': {
    administrator: ['create', 'list'],
    operator: ['create', 'list'],
    'read-only': ['list'],
  },
  credential: { administrator: ['create', 'list'], operator: ['create', 'list'], 'read-only': ['list'] },
  'credential-library': {
    administrator: ['create', 'list'],
    operator: ['create', 'list'],
    'read-only': ['list'],
  },
  session: { administrator: ['list'], operator: ['list'], 'read-only': ['list'] },
};

/** Actions on a user's own sessions, in addition to the role's actions on all sessions. */
export function ownSessionActions(role: Role | null): readonly string[] {
  if (role === null) return [];
  return role === 'read-only' ? ['read:self'] : ['read:self', 'cancel:self'];
}

/** The role's actions on one resource; none without a role. */
export function allowedOn(type: ResourceType, role: Role | null): readonly string[] {
  return role === null ? [] : itemActions[type][role];
}

/** The role's actions on a collection; none without a role. */
export function allowedIn(type: ResourceType, role: Role | null): readonly string[] {
  return role === null ? [] : collectionActions[type][role];
}

export function forbidden(): Refusal {
  return new Refusal('forbidden', 'Forbidden.');
}
