import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountTokens, type TokenForm } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { objectTurns } from '@gatehouse/service-kit/body-turns';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { systemClock, type Clock } from '@gatehouse/service-kit/clock';
import { createApp, errorHandler, sendJson, takeTurns } from '@gatehouse/service-kit/http';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { requestId, requestLog, silentLog, type Log } from '@gatehouse/service-kit/log';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import { notedObjects, sweepNoted } from '@gatehouse/service-kit/object-store/noted-objects';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import type { RateLimit } from '@gatehouse/service-kit/rate-limit';
import { keyRingFromFile, type KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Service } from '@gatehouse/service-kit/service';
import { signingKey } from '@gatehouse/service-kit/signing-key';
import { probeTurn } from '@gatehouse/service-kit/slices';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { NextFunction, Request, Response } from 'express';
import { askerOf } from './http/caller.ts';
import type { Context } from './http/context.ts';
import { errorBody, toHttp } from './http/error-body.ts';
import { limitRequests } from './http/rate.ts';
import { addRoutes } from './http/routes.ts';
import { followPeople } from './people.ts';
import { seedRegistry, type Seed } from './seed.ts';
import { boxStore } from './store/boxes.ts';
import { openDatabase } from './store/database.ts';
import { memberStore } from './store/members.ts';
import { namespaceStore } from './store/namespaces.ts';
import { providerStore } from './store/providers.ts';
import { boxSearch } from './store/search.ts';
import { settingStore } from './store/settings.ts';
import { twoFactorStore } from './store/two-factor.ts';
import { uploadStore } from './store/uploads.ts';
import { versionStore } from './store/versions.ts';
import { fileCodeSender, type CodeSender } from './two-factor/code-sender.ts';
import { twoFactor } from './two-factor/two-factor.ts';
import { uploadAddresses } from './uploads/addresses.ts';

/** The form of tokens in Vagrant Cloud; 62 characters are about 370 bits. */
const tokenForm: TokenForm = {
  form: /^[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z]{48}$/,
  make: () => `${randomBase62(14)}.atlasv1.${randomBase62(48)}`,
};

export const version = '0.1.0';

/** The default of `publicUrl`. */
const defaultPublicUrl = 'http://127.0.0.1:8300';
const defaultUploadLifetimeMs = 60 * 60 * 1000;
const defaultIdleDeadlineMs = 120_000;
/** 6,000 per minute. */
const defaultRequestLimit: RateLimit = { burst: 6000, perSecond: 100 };

/** Rate limits, in requests per second. */
export interface RateLimits {
  /** Requests other than sign-ins, per token or address; 6,000 per minute by default. */
  readonly requests?: RateLimit;
}

export interface BoxRegistryOptions {
  /** The folder of box-registry.db and of the images, created if missing. */
  readonly dataDir: string;
  /** The accounts that the embedded services share. The caller closes them. */
  readonly accounts: AccountStore;
  /**
   * The URL at which clients reach the registry (`https://boxes.example.com`), used in the URLs that it returns; a
   * function if the URL is known only after listening. `http://127.0.0.1:8300` by default.
   */
  readonly publicUrl?: string | (() => string);
  readonly clock?: Clock;
  readonly log?: Log;
  readonly rateLimit?: RateLimits;
  /** The keys that encrypt second factors; by default box-registry-keys.json in the data folder. */
  readonly keys?: KeyRing;
  /** The store of images; by default the folder `box-images` in the data folder. */
  readonly images?: ObjectStore;
  /** Sends sign-in codes; by default to box-registry-codes.log in the data folder. */
  readonly codeSender?: CodeSender;
  /** The initial content of a registry without organizations; empty by default. */
  readonly seed?: Seed;
  /** How long an upload URL is valid, in milliseconds; an hour by default. */
  readonly uploadLifetimeMs?: number;
  /** How long an image transfer may stand still, in milliseconds; two minutes by default. */
  readonly idleDeadlineMs?: number;
}

/**
 * Creates the box registry.
 * @throws StoreRefused if the store can't be opened
 * @throws KeyRingRefused or SealBroken if the key ring can't be used or isn't the one that the store was written with
 */
export async function createService(options: BoxRegistryOptions): Promise<Service> {
  const { dataDir, accounts, clock = systemClock, log = silentLog, rateLimit = {} } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const keys = options.keys ?? keyRingFromFile(join(dataDir, 'box-registry-keys.json'));
  const store = openDatabase(dataDir);
  let context: Context;
  let stopFollowing: () => Promise<void>;
  try {
    const uploads = uploadStore(store);
    const kept = options.images ?? (await diskObjects(join(dataDir, 'box-images'), 'images'));
    const images = notedObjects(store, kept);
    await uploads.removeExpired(clock.now(), new Set());
    // If the image store can't be reached yet, boxes can still be read.
    await sweepNoted(store, images, uploads.isReferred, log);
    context = {
      accounts,
      tokens: accountTokens(store, tokenForm),
      twoFactor: twoFactor({
        store: twoFactorStore(store),
        keys,
        sender: options.codeSender ?? fileCodeSender(join(dataDir, 'box-registry-codes.log')),
        clock,
        known: accounts.knownAddresses,
      }),
      namespaces: namespaceStore(store),
      members: memberStore(store),
      settings: settingStore(store),
      boxes: boxStore(store),
      search: boxSearch(store),
      versions: versionStore(store),
      providers: providerStore(store),
      uploads,
      images,
      imageInTurn: objectTurns(images.atOnce, 'image'),
      addresses: uploadAddresses(
        await signingKey(store, keys, 'upload-addresses'),
        options.uploadLifetimeMs ?? defaultUploadLifetimeMs,
      ),
      receiving: new Set(),
      publicUrl: publicUrlOf(options.publicUrl ?? defaultPublicUrl),
      idleDeadlineMs: options.idleDeadlineMs ?? defaultIdleDeadlineMs,
      clock,
      log,
    };
    if (await seedRegistry(context, options.seed ?? [])) log.info('seeded an empty registry');
    stopFollowing = await followPeople(context);
  } catch (error) {
    await store.close();
    throw error;
  }

  const app = createApp();
  app.use(requestId(), requestLog(log, clock));
  app.get('/health', async (req, res) => {
    await probeTurn(clientAddress(req), () => res.destroyed);
    const healthy = store.healthy() && accounts.healthy();
    sendJson(res, healthy ? 200 : 503, { version, store_reachable: await context.images.reachable() });
  });
  app.use(takeTurns((req) => askerOf(context, req)));
  app.use(limitRequests(rateLimit.requests ?? defaultRequestLimit, clock, context));
  addRoutes(app, context);
  app.use((error: unknown, _req: Request, _res: Response, next: NextFunction) => next(toHttp(error)));
  app.use(
    errorHandler({
      toBody: errorBody,
      onUnexpected: (error, _req, res) =>
        log.error('request failed', { error, requestId: res.locals.requestId }),
    }),
  );

  return {
    name: 'boxes',
    version,
    handler: app,
    errorBody,
    largeBodies: true,
    ready: () => Promise.resolve(store.healthy() && accounts.healthy()),
    async close() {
      await stopFollowing();
      await store.close();
    },
  };
}

function publicUrlOf(given: string | (() => string)): () => string {
  if (typeof given === 'function') return () => trimEndSlashes(given());
  const url = trimEndSlashes(given);
  return () => url;
}
