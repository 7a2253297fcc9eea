import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { people } from '#upstreams/access-controller/people.ts';

export const peopleOperations = {
  listPeople: listRecords(people, { scope_id: 'global' }),
  getPerson: getRecord(people),
  createPerson: createRecord(people),
  updatePerson: updateRecord(people),
  deletePerson: deleteRecord(people),
};
