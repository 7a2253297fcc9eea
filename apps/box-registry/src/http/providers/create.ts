import { sendJson } from '@gatehouse/service-kit/http';
import { unknownArchitecture } from '../../domain/box.ts';
import { Faults, unprocessable } from '../../domain/refusal.ts';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';
import { readProviderFields } from './fields.ts';

/**
 * POST …/version/:version/providers. Without a url its image is to be uploaded. The first architecture of a name is its
 * default, whatever the request says.
 */
export const createProvider: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const api = apiOf(context, req);
  const faults = new Faults();
  const fields = readProviderFields(api, req, faults, null);
  const { name, architecture = unknownArchitecture, isDefault = false, url = null, checksum = null } = fields;
  faults.refuseAny();
  if (name === undefined) throw unprocessable("Name can't be blank");
  const provider = await context.providers.create(
    version.id,
    {
      name,
      architecture: api.version === 1 ? undefined : architecture,
      isDefault,
      url,
      checksum,
    },
    context.clock.now(),
  );
  sendJson(res, 200, wireProvider(api, box, version, provider));
};
