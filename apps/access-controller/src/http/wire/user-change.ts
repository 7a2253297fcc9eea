import { checkLoginName, checkText } from '@gatehouse/service-kit/account';
import { roleServices } from '@gatehouse/service-kit/accounts';
import type { AccountChange, Role, RoleService } from '@gatehouse/service-kit/accounts';
import type { FieldFaults } from '../../domain/refusal.ts';
import { noteAccountFault } from '../account-fault.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

const roleNames: readonly Role[] = ['administrator', 'operator', 'read-only'];

/** Reads the fields of a user that a body sets, and adds their faults. Null clears a field, except the login name. */
export function readUserChange(body: JsonObject, faults: FieldFaults): AccountChange {
  const members = new MemberReader(body, faults);
  const loginName = members.string('login_name');
  const fullName = members.string('full_name');
  const email = members.string('email');
  const disabled = members.boolean('disabled');
  const roles = readRoles(members, faults);
  if (loginName !== undefined) noteAccountFault('login_name', faults, () => checkLoginName(loginName ?? ''));
  noteAccountFault('full_name', faults, () => checkText(fullName ?? ''));
  noteAccountFault('email', faults, () => checkText(email ?? ''));
  return {
    ...(loginName !== undefined && { loginName: loginName ?? '' }),
    ...(fullName !== undefined && { fullName: fullName ?? '' }),
    ...(email !== undefined && { email: email ?? '' }),
    ...(disabled !== undefined && { disabled: disabled ?? false }),
    ...(Object.keys(roles).length > 0 && { roles }),
  };
}

/** Reads roles by service. Null means no access; a service that isn't named keeps its role. */
function readRoles(members: MemberReader, faults: FieldFaults): Partial<Record<RoleService, Role | null>> {
  const given = members.object('roles');
  if (given === null)
    faults.add('roles', 'Roles are removed one service at a time: set the role of a service to null.');
  const roles: Partial<Record<RoleService, Role | null>> = {};
  const reader = new MemberReader(given ?? {}, faults, 'roles.');
  for (const name of Object.keys(given ?? {})) {
    const service = roleServices.find((known) => known === name);
    if (service === undefined) {
      faults.add('roles', `These services have roles: ${roleServices.join(', ')}.`);
      continue;
    }
    const text = reader.string(service);
    const role = roleNames.find((known) => known === text);
    if (text !== null && role === undefined) {
      faults.add(`roles.${service}`, `A role is one of ${roleNames.join(', ')}, or null for no access.`);
    } else {
      roles[service] = role ?? null;
    }
  }
  return roles;
}
