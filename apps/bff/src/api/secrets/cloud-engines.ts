/** The mounted cloud credentials engines, and what a caller may do with them. */
import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { hashOf } from '#ground/fields-revision.ts';
import { isCloudPlugin } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { cloudPolicyPath, readRoot } from '#upstreams/secrets-server/cloud.ts';
import { readGrants } from '#upstreams/secrets-server/grants.ts';
import { listMountsOfPlugins, type MountOfPlugin } from '#upstreams/secrets-server/mounts.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** The mounted engines that the server shows. */
export async function listCloudMounts(caller: SecretsCaller): Promise<readonly MountOfPlugin[]> {
  const mounts = (await listMountsOfPlugins(caller)) ?? [];
  return mounts.filter(({ type, plugin }) => type === 'secret' && isCloudPlugin(plugin));
}

type May = CloudEngine['may'];

/** What the caller may do with each engine, by mount; null if the server doesn't report it. */
export async function mayWithEngines(
  caller: SecretsCaller,
  mounts: readonly string[],
): Promise<(mount: string) => May> {
  const pathsOf = (mount: string) => ({
    roles: cloudPolicyPath(mount, 'roles'),
    // The server decides listing by the path with a trailing slash.
    listed: `${cloudPolicyPath(mount, 'roles')}/`,
    // Any role, as policies usually treat all roles alike.
    role: cloudPolicyPath(mount, 'roles', 'any'),
    root: cloudPolicyPath(mount, 'config', 'root'),
    rotate: cloudPolicyPath(mount, 'config', 'rotate-root'),
    lease: cloudPolicyPath(mount, 'config', 'lease'),
    engine: `sys/mounts/${mount}`,
  });
  const found = await readCapabilities(
    caller,
    mounts.flatMap((mount) => Object.values(pathsOf(mount))),
  );
  if (found === null) return () => null;
  // Policies may allow only roles whose names have a certain prefix.
  const needsGrants = mounts.some((mount) => !allows(found.get(pathsOf(mount).role), 'create', 'update'));
  const grants = needsGrants ? await readGrants(caller) : null;
  const may = (path: string, ...words: readonly string[]): boolean => allows(found.get(path), ...words);
  return (mount) => {
    const { roles, listed, role, root, rotate, lease, engine } = pathsOf(mount);
    return {
      list_roles: may(listed, 'list') || may(roles, 'list'),
      create_roles:
        may(role, 'create', 'update') ||
        grants?.some((path) => path.startsWith(`${roles}/`), 'create', 'update') === true,
      read_root: may(root, 'read'),
      update_root: may(root, 'update', 'create'),
      rotate_root: may(rotate, 'update', 'create'),
      read_lease: may(lease, 'read'),
      update_lease: may(lease, 'update', 'create'),
      unmount: may(engine, 'delete'),
    };
  };
}

/** What the caller may do with one engine. */
export async function mayWithEngine(caller: SecretsCaller, mount: string): Promise<May> {
  return (await mayWithEngines(caller, [mount]))(mount);
}

/** An engine as its mount describes it. */
export function mountedEngine({
  path,
  description,
  plugin,
  uuid,
  running_version,
}: MountOfPlugin): CloudEngine {
  const revision = hashOf({ uuid, plugin, description });
  return { mount: path, revision, description, plugin, running_version, configured: null, may: null };
}

/** An engine as an item of a list. One whose settings can't be read doesn't fail the list. */
export async function engineOf(caller: SecretsCaller, mount: MountOfPlugin, may: May): Promise<CloudEngine> {
  const readConfigured = async (): Promise<boolean | null> => {
    if (may?.read_root === false) return null;
    try {
      return (await readRoot(caller, mount.path)) !== null;
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  };
  return { ...mountedEngine(mount), configured: await readConfigured(), may };
}
