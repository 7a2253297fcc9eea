import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendParts } from '../parts.ts';
import { visibleText } from './answer.ts';

/** GET …/box/:username/:name. */
export const readBox: Operation = (context, req, res, slices) => {
  const { box, actions } = openBox(context, req);
  return sendParts(res, slices, visibleText(context, req, box, actions));
};
