import { sendJson } from '@gatehouse/service-kit/http';
import { Faults } from '../../domain/refusal.ts';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { wireProvider } from '../wire/box.ts';
import { readProviderFields } from './fields.ts';

/** POST /api/v1/box/:username/:name/version/:version/providers. Without a url its image is to be uploaded. */
export const createProvider: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const faults = new Faults();
  const { name, url = null, checksum = null } = readProviderFields(req, faults, null);
  if (name === undefined) faults.add("Name can't be blank");
  faults.refuseAny();
  const provider = await context.providers.create(
    version.id,
    { name: name ?? '', url, checksum },
    context.clock.now(),
  );
  sendJson(res, 200, wireProvider(context.publicUrl(), box, version, provider));
};
