/** People of an environment: their names, their role in each service, their passwords. */
import { record, scalar, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import { environmentParams, idParams, pageOf, pageQuery, readErrors } from './record-fields.ts';

export const roles = ['administrator', 'operator', 'read-only'] as const;
export const role = z.enum(roles);
export type Role = (typeof roles)[number];

/** The role in each service; null is no access. */
export const serviceRoles = z.strictObject({
  access: z.nullable(role),
  secrets: z.nullable(role),
  boxes: z.nullable(role),
  modules: z.nullable(role),
});
export type ServiceRoles = z.output<typeof serviceRoles>;

export const person = z.object({
  /** The user's id, `u_…`. */
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  login_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  /** A disabled person cannot sign in, and their tokens are void. */
  disabled: z.boolean(),
  /** Null where the controller knows no roles of this kind. */
  roles: z.nullable(serviceRoles),
  created_time: z.string(),
  updated_time: z.string(),
  /** What the caller may do with this person. */
  authorized_actions: z.array(z.string()),
});
export type Person = z.output<typeof person>;

/** Bounds of names and passwords, in characters. */
export const personLimits = {
  minLoginName: 3,
  maxLoginName: 100,
  maxText: 200,
  minPassword: 8,
  maxPassword: 1000,
} as const;

const loginNameMessage = `A login name has ${personLimits.minLoginName} to ${personLimits.maxLoginName} printable characters and no spaces.`;
const loginName = z
  .string()
  .check(
    z.trim(),
    z.minLength(personLimits.minLoginName, loginNameMessage),
    z.maxLength(personLimits.maxLoginName, loginNameMessage),
    z.regex(/^[^\p{C}\p{Z}]*$/u, loginNameMessage),
  );
const textMessage = `Names and addresses have at most ${personLimits.maxText} printable characters.`;
const shortText = z
  .string()
  .check(z.trim(), z.maxLength(personLimits.maxText, textMessage), z.regex(/^[^\p{C}]*$/u, textMessage));
const passwordMessage = `A password has ${personLimits.minPassword} to ${personLimits.maxPassword} characters.`;
const newPassword = z
  .string()
  .check(
    z.minLength(personLimits.minPassword, passwordMessage),
    z.maxLength(personLimits.maxPassword, passwordMessage),
  );

/** The fields that a person edits, all present. The login name is given once. */
export const personFields = z.strictObject({
  full_name: shortText,
  email: shortText,
  disabled: z.boolean(),
  roles: serviceRoles,
});
export type PersonFields = z.output<typeof personFields>;

export const personPolicy: RecordPolicy = record({
  full_name: scalar,
  email: scalar,
  disabled: scalar,
  roles: record({ access: scalar, secrets: scalar, boxes: scalar, modules: scalar }),
});

/** The editable fields of a stored person. */
export function fieldsOfPerson(from: Person): PersonFields {
  return {
    full_name: from.full_name,
    email: from.email,
    disabled: from.disabled,
    roles: from.roles ?? { access: null, secrets: null, boxes: null, modules: null },
  };
}

const writeErrors = [
  ...readErrors,
  'invalid-request',
  'conflict',
  'revision-required',
  'confirmation-required',
  'outcome-unknown',
] as const;

export const listPeople = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/people',
  summary: 'A page of the people of the environment',
  params: environmentParams,
  query: z.strictObject(pageQuery),
  response: pageOf(person),
  errors: [...readErrors, 'invalid-request'],
});

export const getPerson = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/access/people/:id',
  summary: 'One person',
  params: idParams,
  response: person,
  errors: readErrors,
});

/** A new person, who signs in with the password that is given here. */
export const newPerson = z.strictObject({
  login_name: loginName,
  password: newPassword,
  full_name: z.optional(shortText),
  email: z.optional(shortText),
  /** A service that is left out is no access. */
  roles: z.partial(serviceRoles),
});
export type NewPerson = z.input<typeof newPerson>;

export const createPerson = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/people',
  summary: 'Create a person with a first password and roles',
  params: environmentParams,
  body: newPerson,
  response: person,
  audit: 'person.create',
  errors: [...readErrors, 'invalid-request', 'confirmation-required', 'outcome-unknown'],
  confirm: 'always',
});

/** The changed fields alone; '' clears a text. */
export const personChanges = z.strictObject({
  full_name: z.optional(shortText),
  email: z.optional(shortText),
  disabled: z.optional(z.boolean()),
  roles: z.optional(z.partial(serviceRoles)),
});
export type PersonChanges = z.input<typeof personChanges>;

export const updatePerson = defineEndpoint({
  method: 'PATCH',
  path: '/api/environments/:environment/access/people/:id',
  summary: "Change a person's names or roles, disable or enable them",
  params: idParams,
  body: personChanges,
  response: person,
  audit: 'person.update',
  errors: writeErrors,
  guarded: true,
  confirm: 'always',
});

export const deletePerson = defineEndpoint({
  method: 'DELETE',
  path: '/api/environments/:environment/access/people/:id',
  summary: 'Delete a person; their tokens are void',
  params: idParams,
  audit: 'person.delete',
  errors: writeErrors,
  guarded: true,
  confirm: 'always',
});

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/people/:id/reset-password',
  summary: 'Give a person a new password; their tokens are void',
  params: idParams,
  body: z.strictObject({ new_password: newPassword }),
  response: person,
  audit: 'person.reset-password',
  errors: writeErrors,
  guarded: true,
  confirm: 'always',
});

export const changeOwnPassword = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/access/own-password',
  summary: 'Change the own password; other sign-ins with it end, this one stays',
  params: environmentParams,
  body: z.strictObject({
    current_password: z.string().check(z.minLength(1, 'Enter the current password.'), z.maxLength(4096)),
    new_password: newPassword,
  }),
  audit: 'person.change-own-password',
  errors: [...readErrors, 'invalid-request', 'rate-limited', 'outcome-unknown', 'service-unavailable'],
});
