import type { Request } from 'express';
import { maxDescription, maxName } from '../../domain/names.ts';
import type { Faults } from '../../domain/refusal.ts';
import { FieldReader, readGroup } from '../body.ts';

/** Fields of an organization; one that is missing or null is undefined. @throws Refusal `unprocessable` without any */
export function readOrganizationFields(req: Request, faults: Faults) {
  const known = ['username', 'profile_markdown'];
  const fields = new FieldReader(readGroup(req, 'organization', known), faults);
  return {
    username: fields.text('username', maxName),
    profile: fields.text('profile_markdown', maxDescription),
  };
}
