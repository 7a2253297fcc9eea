import { harmOfPersonChanges } from '@gatehouse/api-types/console/harm-of';
import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations, deleteRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { endSessions } from './end-sessions.ts';
import { resetPassword } from './reset-password.ts';

export const peopleOperations = resource(inAccess, {
  ...collectionOperations('people', people),
  'people.list': listRecords(people, { scope_id: 'global' }),
  'people.update': updateRecord(people, {
    harm: harmOfPersonChanges,
    after: async (context, call, { disabled }) => {
      if (disabled) await endSessions(context, call);
    },
  }),
  'people.delete': deleteRecord(people, endSessions),
  'people.resetPassword': resetPassword,
  'people.changeOwnPassword': changeOwnPassword,
});
