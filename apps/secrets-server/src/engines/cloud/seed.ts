import { parseBody } from '../../core/body.ts';
import type { CloudStore } from '../../store/cloud/cloud-store.ts';
import { defaultConfig } from '../../store/mounts.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import { leaseTimesOf } from './lease-config.ts';
import { roleOf } from './role-fields.ts';
import { rootOf } from './root-config.ts';

/** A cloud engine for an empty store. */
export interface CloudSeed {
  /** Ends with a slash. */
  readonly path: string;
  /** Fields of config/root; without them, the environment's credentials are used. */
  readonly root?: Readonly<Record<string, unknown>>;
  /** Fields of config/lease. */
  readonly lease?: Readonly<Record<string, unknown>>;
  /** Fields of roles by name; a text is a role in the format of earlier versions, which may be invalid. */
  readonly roles?: Readonly<Record<string, Readonly<Record<string, unknown>> | string>>;
}

/** Creates and configures a mount. @throws Refusal as the same writes over HTTP would */
export async function writeCloudSeed(
  mounts: MountTableStore,
  store: CloudStore,
  { path, root, lease, roles = {} }: CloudSeed,
): Promise<void> {
  const { id } = await mounts.add({
    namespace: '',
    path,
    type: 'cloud',
    description: 'cloud credentials',
    options: null,
    config: defaultConfig,
  });
  const bodyOf = (fields: Readonly<Record<string, unknown>>) => parseBody(JSON.stringify(fields));
  if (root !== undefined) await store.saveRoot(id, rootOf(bodyOf(root)));
  if (lease !== undefined) await store.saveLeaseTimes(id, leaseTimesOf(bodyOf(lease)));
  for (const [name, role] of Object.entries(roles)) {
    if (typeof role === 'string') await store.saveLegacyRole(id, name, role);
    else await store.changeRole(id, name, () => roleOf(bodyOf(role))(undefined).role);
  }
}
