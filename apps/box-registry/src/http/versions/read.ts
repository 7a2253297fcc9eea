import { sendJson } from '@gatehouse/service-kit/http';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';

/** GET …/box/:username/:name/version/:version. */
export const readVersion: Operation = (context, req, res) => {
  const { box, version } = openVersion(context, req);
  sendJson(res, 200, wireVersion(apiOf(context, req), box, version));
};
