import { sendJson } from '@gatehouse/service-kit/http';
import { openProvider } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';

/** GET …/version/:version/provider/:provider. */
export const readProvider: Operation = (context, req, res) => {
  const { box, version, provider } = openProvider(context, req);
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, provider));
};
