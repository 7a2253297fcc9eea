import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { sendParts } from '../parts.ts';
import { removeImages } from '../uploads/remove-images.ts';
import { visibleText } from './answer.ts';

/** DELETE …/box/:username/:name: with its versions, providers and images. Answers the box as it was. */
export const deleteBox: Operation = async (context, req, res, slices) => {
  const { box, actions } = openBox(context, req, 'publish');
  const parts: string[] = [];
  for (const part of visibleText(context, req, box, actions)) {
    parts.push(part);
    await slices.giveWay();
  }
  await removeImages(context, await context.boxes.remove(box.id));
  await sendParts(res, slices, parts);
};
