/** Settings of a key-value engine. */
import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { hashOf } from '#ground/fields-revision.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readEngine } from '#upstreams/secrets-server/metadata.ts';
import { readMount, tunePath } from '#upstreams/secrets-server/mounts.ts';
import { policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { orDenied } from './stored-secret.ts';

/** Reads an engine's settings. @throws ServiceError `not-found` if the engine doesn't exist */
export async function readSecretEngine(caller: SecretsCaller, mount: string): Promise<SecretEngine> {
  const [stored, told] = await Promise.all([readEngine(caller, mount), readMount(caller, mount)]);
  const { max_versions, cas_required, delete_version_after, metadata_cas_required } = stored;
  const fields = { description: told?.description ?? null, max_versions, cas_required, delete_version_after };
  return {
    mount,
    revision: hashOf({ ...fields, uuid: told?.uuid }),
    ...fields,
    metadata_cas_required,
    may: null,
  };
}

/** The number of versions that an engine keeps, 0 for the default; null if the user can't read it. */
export async function keptByEngine(caller: SecretsCaller, mount: string): Promise<number | null> {
  const engine = await orDenied(readEngine(caller, mount));
  return engine === 'denied' ? null : engine.max_versions;
}

/** What the caller may do with the settings; null if the server doesn't report it. */
export async function mayChange(caller: SecretsCaller, mount: string): Promise<SecretEngine['may']> {
  const path = policyPath('config', { mount, path: '' });
  const engine = `sys/mounts/${mount}`;
  const tune = tunePath(mount);
  const found = await readCapabilities(caller, [path, engine, tune]);
  if (found === null) return null;
  return {
    change: allows(found.get(path), 'update', 'create'),
    describe: allows(found.get(tune), 'update', 'create'),
    unmount: allows(found.get(engine), 'delete'),
  };
}
