import { isUsable } from '../../domain/box.ts';
import type { Provider } from '../../domain/box.ts';
import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { listText, sendParts } from '../parts.ts';
import { downloadUrl } from '../wire/urls.ts';

/** GET /:username/:name and /api/v2/vagrant/:username/:name: what a client needs to fetch a box. Released versions alone. */
export const readMetadata: Operation = (context, req, res, slices) => {
  const { box } = openBox(context, req);
  const publicUrl = context.publicUrl();
  const { name, username, description, shortDescription } = box;
  const texts = context.versions.ofBox(box.id, ['active'], false).map(({ version, status, providers }) => [
    JSON.stringify({
      version,
      status,
      providers: defaultsLast(providers.filter(isUsable)).map((provider) => ({
        name: provider.name,
        architecture: provider.architecture,
        default_architecture: provider.isDefault,
        url: downloadUrl(publicUrl, box, { version }, provider),
        checksum: provider.checksum?.value ?? null,
        checksum_type: provider.checksum?.type ?? null,
      })),
    }),
  ]);
  const fields = { name: `${username}/${name}`, description, short_description: shortDescription };
  // Clients look at the type, and do not know parameters of it.
  const headers = { 'Content-Type': 'application/json' };
  return sendParts(res, slices, listText(fields, 'versions', texts), headers);
};

/** Clients that know no architectures take the last provider of a name. */
function defaultsLast(providers: readonly Provider[]): readonly Provider[] {
  return providers.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault));
}
