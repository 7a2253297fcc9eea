import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations, listRecords } from '#shared/access/records.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { resetPassword } from './reset-password.ts';

export const peopleOperations = resource(inAccess, {
  ...collectionOperations('people', people),
  'people.list': listRecords(people, { scope_id: 'global' }),
  'people.resetPassword': resetPassword,
  'people.changeOwnPassword': changeOwnPassword,
});
