import { sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { openProvider, segment } from '../access.ts';
import type { Operation } from '../context.ts';
import { wireProvider } from '../wire/box.ts';
import { removeImages } from './remove-images.ts';

/**
 * PUT …/upload/direct/:upload: makes the image that was received the provider's. When it has answered, the image can be
 * fetched. Repeated, it answers the same.
 */
export const finishUpload: Operation = async (context, req, res) => {
  const { box, version, provider } = openProvider(context, req, 'publish');
  const upload = context.uploads.get(segment(req, 'upload'));
  if (upload === undefined || !upload.direct || upload.providerId !== provider.id) throw notFound();
  const { removed } = await context.uploads.finish(upload.id, context.clock.now());
  await removeImages(context, removed);
  const current = context.providers.get(provider.id);
  if (current === undefined) throw notFound();
  sendJson(res, 200, wireProvider(context.publicUrl(), box, version, current));
};
