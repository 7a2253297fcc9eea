import type { Mount } from '../core/mount.ts';
import { builtinVersion } from '../plugins/builtins.ts';

/** The types of built-in parts that are not in the catalog and have no deprecation status. */
const parts: ReadonlySet<string> = new Set(['system', 'token']);

/** A mount as returned by sys/mounts and sys/auth. */
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
    // Independent of the configured version, because only built-in plugins run.
    running_plugin_version: builtinVersion,
    running_sha256: '',
    seal_wrap: false,
    type: mount.type,
    uuid: mount.uuid,
  };
}
