import { harmOfPersonChanges } from '@gatehouse/api-types/console/harm-of';
import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { resetPassword } from './reset-password.ts';

export const peopleOperations = resource(inAccess, {
  'people.list': listRecords(people, { scope_id: 'global' }),
  'people.get': getRecord(people),
  'people.create': createRecord(people),
  'people.update': updateRecord(people, { harm: harmOfPersonChanges }),
  'people.delete': deleteRecord(people),
  'people.resetPassword': resetPassword,
  'people.changeOwnPassword': changeOwnPassword,
});
