import { sendJson } from '@gatehouse/service-kit/http';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { wireVersion } from '../wire/box.ts';

/** GET /api/v1/box/:username/:name/version/:version. */
export const readVersion: Operation = (context, req, res) => {
  const { box, version } = openVersion(context, req);
  sendJson(res, 200, wireVersion(context.publicUrl(), box, version));
};
