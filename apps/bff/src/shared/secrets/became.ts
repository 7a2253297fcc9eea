import { readSecretEngine } from '#api/secrets/engines/secret-engine.ts';
import { hasChanges, readSecretMetadata } from '#api/secrets/metadata/secret-metadata.ts';
import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import type { Became } from '../access/became.ts';
import { secretsCaller, type SecretsCall } from './caller.ts';
import { hasSettings } from './settings.ts';
import { readNewestWithoutValues, stateOf } from './stored-secret.ts';
import { dataOf } from './write-secret.ts';
import { holds } from './write-surely.ts';

/** Kinds of resources that are asked of the secrets server. */
export const secretKinds: ReadonlySet<string> = new Set(['secret', 'secret-metadata', 'secret-engine']);

/**
 * Reads the secrets server once and decides whether an audited call was done. Values that were sent are kept nowhere, so
 * that a version that is there by now may be somebody else's.
 * @throws ServiceError when it cannot be read: then nothing is decided
 */
export async function whatBecameOfSecret(context: Context, call: SecretsCall, wish: Wish): Promise<Became> {
  const caller = await secretsCaller(context, call);
  const { mount = '', path = '' } = wish.params;
  const place = { mount, path };
  switch (wish.operation) {
    // Their answers are recorded before they are sent: nobody received one.
    case 'revealSecret':
    case 'compareSecret':
    case 'previewSecretImport':
      return { outcome: 'failed' };
    case 'createSecret':
    case 'updateSecret':
    case 'patchSecret':
    case 'restoreSecret':
      return written(caller, place, wish);
    case 'deleteSecret':
      return deleted(caller, place, wish);
    case 'deleteSecretVersions':
      return haveState(caller, place, wish, ['deleted', 'destroyed']);
    case 'undeleteSecretVersions':
      return haveState(caller, place, wish, ['readable', 'scheduled', 'destroyed']);
    case 'destroySecretVersions':
      return haveState(caller, place, wish, ['destroyed']);
    case 'deleteSecretForever':
      return { outcome: (await readMetadata(caller, place)) === null ? 'succeeded' : 'failed' };
    case 'updateSecretMetadata':
    case 'patchSecretMetadata': {
      const stored = await readSecretMetadata(caller, place);
      const isPatch = wish.operation === 'patchSecretMetadata';
      const isDone = (isPatch ? hasChanges : hasSettings)(stored ?? {}, wish.body);
      return settled(stored, wish, `${mount}/${path}`, isDone);
    }
    case 'updateSecretEngine': {
      const stored = await readSecretEngine(caller, mount);
      return settled(stored, wish, mount, hasSettings(stored, wish.body));
    }
    default:
      return { outcome: 'unknown' };
  }
}

async function written(caller: SecretsCaller, place: Place, wish: Wish): Promise<Became> {
  const seen = Number(wish.revision ?? '0');
  const newest = (await readNewestWithoutValues(caller, place))?.version ?? 0;
  if (newest <= seen) return { outcome: newest === seen ? 'failed' : 'unknown' };
  const { version } = wish.body;
  if (wish.operation !== 'restoreSecret' || typeof version !== 'number') return { outcome: 'unknown' };
  const restored = await dataOf(caller, place, version);
  return restored !== null && (await holds(caller, place, seen + 1, restored))
    ? {
        outcome: 'succeeded',
        stored: { id: `${place.mount}/${place.path}`, revision: String(seen + 1) },
      }
    : { outcome: 'unknown' };
}

async function deleted(caller: SecretsCaller, place: Place, { revision }: Wish): Promise<Became> {
  const newest = await readNewestWithoutValues(caller, place);
  if (newest === null || newest.revision !== revision) return { outcome: 'unknown' };
  return { outcome: newest.state === 'deleted' || newest.state === 'destroyed' ? 'succeeded' : 'failed' };
}

async function haveState(
  caller: SecretsCaller,
  place: Place,
  { body }: Wish,
  wanted: readonly string[],
): Promise<Became> {
  const metadata = await readMetadata(caller, place);
  const { versions } = body;
  if (metadata === null || !Array.isArray(versions)) return { outcome: 'unknown' };
  // A version that was pruned meanwhile tells nothing.
  const states = versions.flatMap((version) => {
    const found = metadata.versions[String(version)];
    return found === undefined ? [] : [stateOf(found, caller.now())];
  });
  if (states.length === 0) return { outcome: 'unknown' };
  return { outcome: states.every((state) => wanted.includes(state)) ? 'succeeded' : 'failed' };
}

function settled(
  stored: { readonly revision: string } | null,
  { revision }: Wish,
  id: string,
  isDone: boolean,
): Became {
  if (stored === null) return { outcome: 'unknown' };
  if (isDone) return { outcome: 'succeeded', stored: { id, revision: stored.revision } };
  return { outcome: stored.revision === revision ? 'failed' : 'unknown' };
}
