import { sendJson } from '@gatehouse/service-kit/http';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { removeImages } from '../uploads/remove-images.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';

/** DELETE …/box/:username/:name/version/:version: with its images. Answers the version as it was. */
export const deleteVersion: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  await removeImages(context, await context.versions.remove(version.id));
  sendJson(res, 200, wireVersion(apiOf(context, req), box, version));
};
