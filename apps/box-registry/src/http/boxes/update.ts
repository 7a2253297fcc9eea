import { Faults } from '../../domain/refusal.ts';
import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendParts } from '../parts.ts';
import { visibleText } from './answer.ts';
import { readBoxFields } from './fields.ts';

/** PUT …/box/:username/:name. Fields that are left out, or null, stay. */
export const updateBox: Operation = async (context, req, res, slices) => {
  const { box, actions } = openBox(context, req, 'publish');
  const faults = new Faults();
  const { username, ...change } = readBoxFields(req, faults);
  if (username !== undefined && username.toLowerCase() !== box.username.toLowerCase())
    faults.add('Username cannot be changed');
  faults.refuseAny();
  const updated = await context.boxes.update(box.id, change, context.clock.now());
  await sendParts(res, slices, visibleText(context, req, updated, actions));
};
