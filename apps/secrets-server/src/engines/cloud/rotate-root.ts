import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Request, Route } from '../../core/backend.ts';
import { badRequest } from '../../core/refusal.ts';
import type { RootConfig } from '../../domain/cloud/root.ts';
import type { Engine } from './engine.ts';
import { ProviderFault, refusalOf } from './provider.ts';
import type { AccessKey } from './provider.ts';

export function rotateRootRoute(engine: Engine): Route {
  const underWay = new Set<number>();
  return {
    path: 'config/rotate-root',
    fields: [],
    forwarded: true,
    operations: {
      update: async (request) => {
        const { id } = request.mount;
        if (underWay.has(id)) throw badRequest('the root credentials are already being rotated');
        underWay.add(id);
        try {
          return await engine.inTurn(request, () => rotate(engine, request));
        } catch (error) {
          throw error instanceof ProviderFault ? refusalOf(error) : error;
        } finally {
          underWay.delete(id);
        }
      },
    },
  };
}

async function rotate(engine: Engine, { mount, now }: Request): Promise<Answer> {
  const { store, providers, undoing } = engine;
  const root = store.root(mount.id);
  if (root === undefined) throw badRequest('no configuration found for config/root');
  if (root.accessKey === '') {
    throw badRequest('Cannot call config/rotate-root when either access_key or secret_key is empty');
  }
  const oldKey = root.accessKey;
  const provider = await providers.of(mount.id);
  const userName = await provider.ownUserName();
  if (userName === '')
    throw badRequest("the root credentials don't belong to an IAM user, so they can't be rotated");
  const others = (await provider.accessKeys(userName)).filter(({ id }) => id !== oldKey);
  if (others.length > 0) {
    throw badRequest(
      `the user ${JSON.stringify(userName)} has other access keys than ${oldKey}: ${others.map(({ id }) => id).join(', ')}. ` +
        'Delete them to rotate the root credentials.',
    );
  }
  return undoing.make(mount, {
    undo: { kind: 'new root key', userName, oldKey },
    start: (current) => current.createAccessKey(userName, [oldKey]),
    async finish(_current, key, keep) {
      const { accessKey, secretKey } = key;
      await tryKey(engine, root, key, userName);
      const old = await store.replaceRoot(mount.id, root, { ...root, accessKey, secretKey }, (tx) => {
        keep(tx);
        const undo = { kind: 'old root key', userName, key: oldKey } as const;
        return undoing.noteIn(tx, { mountId: mount.id, undo, origin: root.origin }, now);
      });
      const deleted = await undoing.undo(old);
      return {
        data: { access_key: accessKey },
        warnings: deleted
          ? []
          : [`The old access key ${oldKey} couldn't be deleted yet. The server keeps retrying.`],
      };
    },
  });
}

/** Waits until the provider accepts a new key, which can take some seconds. */
async function tryKey(
  { providers, keyTrials }: Engine,
  root: RootConfig,
  { accessKey, secretKey }: AccessKey,
  userName: string,
): Promise<void> {
  const provider = await providers.openApart({ ...root, accessKey, secretKey });
  for (let trial = 0; ; trial += 1) {
    try {
      const found = await provider.ownUserName();
      if (found === userName) return;
      throw badRequest(`the new access key belongs to ${JSON.stringify(found)}`);
    } catch (error) {
      const pause = keyTrials[trial];
      const early = error instanceof ProviderFault && error.code === 'InvalidClientTokenId';
      if (!early || pause === undefined) throw error;
      await wait(pause);
    }
  }
}
