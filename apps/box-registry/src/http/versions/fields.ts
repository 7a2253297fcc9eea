import type { Request } from 'express';
import { maxDescription } from '../../domain/names.ts';
import type { Faults } from '../../domain/refusal.ts';
import { isVersionNumber, maxVersionNumber } from '../../domain/version-number.ts';
import { FieldReader, readGroup } from '../body.ts';

/** Fields of a version; one that is missing or null is undefined. */
export interface VersionFields {
  readonly version?: string;
  readonly description?: string;
}

/** The fields of a request about a version, grouped or not. @throws Refusal `unprocessable` when there are none */
export function readVersionFields(req: Request, faults: Faults): VersionFields {
  const fields = new FieldReader(readGroup(req, 'version', ['version', 'description']), faults);
  const version = fields.text('version', maxVersionNumber);
  const description = fields.text('description', maxDescription);
  if (version !== undefined && !isVersionNumber(version))
    faults.add('Version is not a version number such as 1.2.0, 1.2.0-beta.1 or 20261120.0');
  return { ...(version !== undefined && { version }), ...(description !== undefined && { description }) };
}
