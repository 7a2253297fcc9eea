import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendBox } from './answer.ts';

/** GET /api/v1/box/:username/:name. */
export const readBox: Operation = (context, req, res) => {
  const { box, actions } = openBox(context, req);
  sendBox(context, res, box, actions);
};
