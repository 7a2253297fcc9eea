import type { Mount } from '../core/mount.ts';
import { builtinVersion } from '../plugins/builtins.ts';

/** Types of what is part of every server and not of its catalog: nobody asks how long it is supported. */
const parts: ReadonlySet<string> = new Set(['system', 'token']);

/** A mount as sys/mounts and sys/auth tell it. */
export function mountWire(mount: Mount): Readonly<Record<string, unknown>> {
  const { config } = mount;
  return {
    accessor: mount.accessor,
    config: {
      default_lease_ttl: config.defaultLeaseTtl,
      force_no_cache: config.forceNoCache,
      ...(config.listingVisibility !== '' && { listing_visibility: config.listingVisibility }),
      max_lease_ttl: config.maxLeaseTtl,
      ...(mount.path.startsWith('auth/') && { token_type: 'default-service' }),
    },
    ...(!parts.has(mount.type) && { deprecation_status: 'supported' }),
    description: mount.description,
    external_entropy_access: false,
    local: mount.local,
    options: mount.options,
    plugin_version: mount.pluginVersion,
    // Whatever it is configured for: only what is part of the server runs.
    running_plugin_version: builtinVersion,
    running_sha256: '',
    seal_wrap: false,
    type: mount.type,
    uuid: mount.uuid,
  };
}
