import { sendJson } from '@gatehouse/service-kit/http';
import { openProvider } from '../access.ts';
import type { Operation } from '../context.ts';
import { removeImages } from '../uploads/remove-images.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';

/** DELETE …/version/:version/provider/:provider: with its image. */
export const deleteProvider: Operation = async (context, req, res) => {
  const { box, version, provider } = openProvider(context, req, 'publish');
  await removeImages(context, await context.providers.remove(provider.id));
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, provider));
};
