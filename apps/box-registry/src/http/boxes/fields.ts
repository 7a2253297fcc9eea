import type { Request } from 'express';
import type { BoxChange } from '../../domain/box.ts';
import { boxNameFault, maxDescription, maxName, maxShortDescription } from '../../domain/names.ts';
import type { Faults } from '../../domain/refusal.ts';
import { FieldReader, readGroup } from '../body.ts';

const known = ['username', 'name', 'short_description', 'description', 'is_private'];

/** Fields of a box; one that is missing or null is undefined. */
export interface BoxFields extends BoxChange {
  readonly username?: string;
}

/** The fields of a request about a box, grouped or not. @throws Refusal `unprocessable` when there are none */
export function readBoxFields(req: Request, faults: Faults): BoxFields {
  const fields = new FieldReader(readGroup(req, 'box', known), faults);
  const username = fields.text('username', maxName);
  const name = fields.text('name', maxName);
  const shortDescription = fields.text('short_description', maxShortDescription);
  const description = fields.text('description', maxDescription);
  const isPrivate = fields.boolean('is_private');
  const nameFault = name === undefined ? undefined : boxNameFault(name);
  if (nameFault !== undefined) faults.add(nameFault);
  return {
    ...(username !== undefined && { username }),
    ...(name !== undefined && { name }),
    ...(shortDescription !== undefined && { shortDescription }),
    ...(description !== undefined && { description }),
    ...(isPrivate !== undefined && { isPrivate }),
  };
}
