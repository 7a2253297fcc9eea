import { Faults } from '../../domain/refusal.ts';
import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendBox } from './answer.ts';
import { readBoxFields } from './fields.ts';

/** PUT …/box/:username/:name. Fields that are left out, or null, stay. */
export const updateBox: Operation = async (context, req, res) => {
  const { box, actions } = openBox(context, req, 'publish');
  const faults = new Faults();
  const { username, ...change } = readBoxFields(req, faults);
  if (username !== undefined && username.toLowerCase() !== box.username.toLowerCase())
    faults.add('Username cannot be changed');
  faults.refuseAny();
  await sendBox(context, req, res, await context.boxes.update(box.id, change, context.clock.now()), actions);
};
