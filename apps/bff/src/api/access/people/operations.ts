import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { resetPassword } from './reset-password.ts';

export const peopleOperations = resource(inAccess, {
  listPeople: listRecords(people, { scope_id: 'global' }),
  getPerson: getRecord(people),
  createPerson: createRecord(people),
  updatePerson: updateRecord(people),
  deletePerson: deleteRecord(people),
  resetPassword,
  changeOwnPassword,
});
