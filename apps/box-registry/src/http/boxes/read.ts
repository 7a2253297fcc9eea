import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendBox } from './answer.ts';

/** GET …/box/:username/:name. */
export const readBox: Operation = (context, req, res) => {
  const { box, actions } = openBox(context, req);
  return sendBox(context, req, res, box, actions);
};
