import { sendJson } from '@gatehouse/service-kit/http';
import type { Provider } from '../../domain/box.ts';
import { Faults } from '../../domain/refusal.ts';
import { digestOf } from '../../images/digest.ts';
import { openProvider } from '../access.ts';
import type { Context, Operation } from '../context.ts';
import { removeImages } from '../uploads/remove-images.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';
import { readProviderFields } from './fields.ts';

/**
 * PUT …/version/:version/provider/:provider. Fields that are left out, or null, stay; an empty
 * url makes the provider one whose image is uploaded.
 */
export const updateProvider: Operation = async (context, req, res) => {
  const { box, version, provider } = openProvider(context, req, 'publish');
  const api = apiOf(context, req);
  const faults = new Faults();
  const change = readProviderFields(api, req, faults, provider.checksum);
  faults.refuseAny();
  const updated = await context.providers.update(
    provider.id,
    { ...change, nameMustBeNew: api.version === 1 },
    context.clock.now(),
  );
  await removeImages(context, updated.removed);
  await computeMissingDigest(context, updated.provider);
  sendJson(res, 200, wireProvider(api, box, version, updated.provider));
};

/** Whether the image has the checksum must be known before a release, of whatever kind the checksum is. */
async function computeMissingDigest(context: Context, { id, image, checksum }: Provider): Promise<void> {
  if (image === null || checksum === null || image.digests[checksum.type] !== undefined) return;
  const digest = await digestOf(await context.images.read(image.key), checksum.type);
  await context.providers.recordDigests(id, image.key, { [checksum.type]: digest });
}
