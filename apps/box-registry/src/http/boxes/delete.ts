import { sendJson } from '@gatehouse/service-kit/http';
import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { removeImages } from '../uploads/remove-images.ts';
import { apiOf } from '../wire/api.ts';
import { wireBox } from '../wire/box.ts';
import { visibleVersions } from './answer.ts';

/** DELETE …/box/:username/:name: with its versions, providers and images. Answers the box as it was. */
export const deleteBox: Operation = async (context, req, res) => {
  const { box, actions } = openBox(context, req, 'publish');
  const versions = visibleVersions(context, box, actions);
  await removeImages(context, await context.boxes.remove(box.id));
  sendJson(res, 200, wireBox(apiOf(context, req), box, versions));
};
