import { sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import type { Provider } from '../../domain/box.ts';
import { nameKey } from '../../domain/names.ts';
import { notFound } from '../../domain/refusal.ts';
import { openVersion, segment } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';
import { removeImages } from './remove-images.ts';

/**
 * PUT …/upload/direct/:upload: makes the image that was received the provider's. When it has answered, the image can be
 * fetched. Repeated, it answers the same.
 */
export const finishUpload: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const upload = context.uploads.get(segment(req, 'upload'));
  if (upload === undefined || !upload.direct) throw notFound();
  const provider = context.providers.get(upload.providerId);
  if (provider?.versionId !== version.id || !isNamed(req, provider)) throw notFound();
  const { removed } = await context.uploads.finish(upload.id, context.clock.now());
  await removeImages(context, removed);
  const current = context.providers.get(provider.id);
  if (current === undefined) throw notFound();
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, current));
};

/** Whether a path names a provider. One without an architecture does so when another became the default meanwhile. */
function isNamed(req: Request, { name, architecture }: Provider): boolean {
  if (nameKey(segment(req, 'provider')) !== nameKey(name)) return false;
  return !('architecture' in req.params) || nameKey(segment(req, 'architecture')) === nameKey(architecture);
}
