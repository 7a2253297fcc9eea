import { sendJson } from '@gatehouse/service-kit/http';
import { isUsable } from '../../domain/box.ts';
import type { Provider } from '../../domain/box.ts';
import { openBox } from '../access.ts';
import { visibleVersions } from '../boxes/answer.ts';
import type { Operation } from '../context.ts';
import { downloadUrl } from '../wire/urls.ts';

/** GET /:username/:name and /api/v2/vagrant/:username/:name: what a client needs to fetch a box. Released versions alone. */
export const readMetadata: Operation = (context, req, res) => {
  const { box, actions } = openBox(context, req);
  const publicUrl = context.publicUrl();
  const active = visibleVersions(context, box, actions).filter((version) => version.status === 'active');
  sendJson(
    res,
    200,
    {
      name: `${box.username}/${box.name}`,
      description: box.description,
      short_description: box.shortDescription,
      versions: active.map((version) => ({
        version: version.version,
        status: version.status,
        providers: defaultsLast(version.providers.filter(isUsable)).map((provider) => ({
          name: provider.name,
          architecture: provider.architecture,
          default_architecture: provider.isDefault,
          url: downloadUrl(publicUrl, box, version, provider),
          checksum: provider.checksum?.value ?? null,
          checksum_type: provider.checksum?.type ?? null,
        })),
      })),
    },
    // Clients look at the type, and do not know parameters of it.
    { 'Content-Type': 'application/json' },
  );
};

/** Clients that know no architectures take the last provider of a name. */
function defaultsLast(providers: readonly Provider[]): readonly Provider[] {
  return providers.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault));
}
