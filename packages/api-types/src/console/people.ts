/** People of an environment: names, roles in each service, passwords. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { atMost } from './at-most.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import {
  createErrors,
  defineCollection,
  environmentParams,
  idParams,
  readErrors,
  writeErrors,
} from './record-fields.ts';
import { sessionSummary } from './session.ts';

export const roles = ['administrator', 'operator', 'read-only'] as const;
export const role = z.enum(roles);
export type Role = (typeof roles)[number];

/** The role in each service; null for no access. */
export const serviceRoles = z.strictObject({
  access: z.nullable(role),
  secrets: z.nullable(role),
  boxes: z.nullable(role),
  modules: z.nullable(role),
});
export type ServiceRoles = z.output<typeof serviceRoles>;

export const person = z.object({
  /** The user ID, `u_…`. */
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  login_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  /** A disabled person can't sign in, and their tokens are void. */
  disabled: z.boolean(),
  /** Null if the controller doesn't support roles of this kind. */
  roles: z.nullable(serviceRoles),
  created_time: z.string(),
  updated_time: z.string(),
  /** What the caller can do with this person. */
  authorized_actions: z.array(z.string()),
});
export type Person = z.output<typeof person>;

/** Limits of names and passwords, in characters. */
export const personLimits = {
  minLoginName: 3,
  maxLoginName: 100,
  maxText: 200,
  minPassword: 8,
  maxPassword: 1000,
} as const;

const loginNameMessage = `A login name must have ${personLimits.minLoginName} to ${personLimits.maxLoginName} printable characters and no spaces.`;
const loginName = z
  .string()
  .check(
    z.trim(),
    z.minLength(personLimits.minLoginName, loginNameMessage),
    atMost(personLimits.maxLoginName, loginNameMessage),
    z.regex(/^[^\p{C}\p{Z}]*$/u, loginNameMessage),
  );
const textMessage = `Names and addresses can have at most ${personLimits.maxText} printable characters.`;
const shortText = z
  .string()
  .check(z.trim(), atMost(personLimits.maxText, textMessage), z.regex(/^[^\p{C}]*$/u, textMessage));
/** Deliberately loose: only what certainly is no address. Stored ones may be older than this. */
export const newEmail = shortText.check(
  z.refine(
    (email) => email === '' || email.length > personLimits.maxText || /^[^\s@]+@[^\s@]+$/u.test(email),
    'Enter an e-mail address, such as ada@example.com.',
  ),
);
const passwordMessage = `A password must have ${personLimits.minPassword} to ${personLimits.maxPassword} characters.`;
const newPassword = asSecret(
  z
    .string()
    .check(
      z.minLength(personLimits.minPassword, passwordMessage),
      z.maxLength(personLimits.maxPassword, passwordMessage),
    ),
);

/** The fields that a user edits, all present. The login name can't change. */
export const personFields = z.strictObject({
  full_name: shortText,
  email: shortText,
  disabled: z.boolean(),
  roles: serviceRoles,
});
export type PersonFields = z.output<typeof personFields>;

export const personPolicy = policyOf(personFields);

/** The editable fields of a stored person. */
export function fieldsOfPerson(from: Person): PersonFields {
  return {
    full_name: from.full_name,
    email: from.email,
    disabled: from.disabled,
    roles: from.roles ?? { access: null, secrets: null, boxes: null, modules: null },
  };
}

/** A new person, who signs in with this password. */
export const newPerson = z.strictObject({
  login_name: loginName,
  password: newPassword,
  full_name: z.optional(shortText),
  email: z.optional(newEmail),
  /** Services that are left out get no access. */
  roles: z.partial(serviceRoles),
});
export type NewPerson = z.input<typeof newPerson>;

/** Only the changed fields; '' clears a text. */
export const personChanges = z.strictObject({
  full_name: z.optional(shortText),
  email: z.optional(shortText),
  disabled: z.optional(z.boolean()),
  roles: z.optional(z.partial(serviceRoles)),
});
export type PersonChanges = z.input<typeof personChanges>;

/** The outcome of one step of a lock-out. */
export const lockOutStep = z.object({
  /** Whether nothing is left to do. */
  is_done: z.boolean(),
  /** How many have ended or are ending. */
  count: z.int(),
  words: z.string(),
});
export type LockOutStep = z.output<typeof lockOutStep>;

export const people = defineResource(() => ({
  ...defineCollection(at.people, {
    record: person,
    fields: newPerson,
    changes: personChanges,
    list: { summary: 'A page of the people of the environment' },
    get: { summary: 'One user' },
    create: { summary: 'Create a user with an initial password and roles' },
    update: { summary: "Edit a user's names or roles, or disable or enable the user" },
    delete: { summary: 'Delete a user; their tokens become invalid' },
  }),
  resetPassword: defineEndpoint(at.people.resetPassword, {
    summary: "Reset a user's password; their tokens become invalid",
    params: idParams,
    body: z.strictObject({ new_password: newPassword }),
    response: person,
    errors: writeErrors,
    guarded: true,
  }),
  lockOut: defineEndpoint(at.people.lockOut, {
    summary:
      'Disable a user, end their console sessions and sessions on targets, pause their moves, stop their deliveries, and revoke their secrets server tokens',
    params: idParams,
    response: z.object({ revision: z.string(), steps: z.array(lockOutStep) }),
    errors: [...createErrors, 'conflict'],
  }),
  listTokens: defineEndpoint(at.people.listTokens, {
    summary: "A user's tokens at the secrets server, found by exactly this login name, without their values",
    params: idParams,
    response: z.object({
      /** Null if you aren't connected to the secrets server, or aren't allowed to list its tokens. */
      tokens: z.nullable(
        z.array(
          z.object({
            accessor: z.string(),
            created_time: z.string(),
            /** Empty if it doesn't expire. */
            expire_time: z.string(),
          }),
        ),
      ),
      /** The number of the server's tokens, of any user, that weren't looked up. */
      unread: z.int(),
    }),
    errors: readErrors,
  }),
  listConsoleSessions: defineEndpoint(at.people.listConsoleSessions, {
    summary: "A user's sessions of this console, for those who can edit the user",
    params: idParams,
    response: z.object({ sessions: z.array(sessionSummary) }),
    errors: readErrors,
  }),
  endConsoleSessions: defineEndpoint(at.people.endConsoleSessions, {
    summary: "End a user's sessions of this console, except this one",
    params: idParams,
    response: z.object({ ended: z.int() }),
    errors: readErrors,
  }),
  changeOwnPassword: defineEndpoint(at.people.changeOwnPassword, {
    summary: 'Change your password; your other sessions that used it end',
    params: environmentParams,
    body: z.strictObject({
      current_password: asSecret(
        z.string().check(z.minLength(1, 'Enter the current password.'), z.maxLength(4096)),
      ),
      new_password: newPassword,
    }),
    errors: [...readErrors, 'invalid-request', 'rate-limited', 'outcome-unknown', 'service-unavailable'],
  }),
}));
