import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { cancelAccessSession } from './cancel-access-session.ts';
import { getAccessSession } from './get-access-session.ts';
import { listAccessSessions } from './list-access-sessions.ts';

export const accessSessionOperations = resource(inAccess, {
  'accessSessions.list': listAccessSessions,
  'accessSessions.get': getAccessSession,
  'accessSessions.cancel': cancelAccessSession,
});
