import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountTokens } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { systemClock } from '@gatehouse/service-kit/clock';
import type { Clock } from '@gatehouse/service-kit/clock';
import { createApp, errorHandler, sendJson } from '@gatehouse/service-kit/http';
import { requestId, requestLog, silentLog } from '@gatehouse/service-kit/log';
import type { Log } from '@gatehouse/service-kit/log';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import type { RateLimit } from '@gatehouse/service-kit/rate-limit';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Service } from '@gatehouse/service-kit/service';
import { signingKey } from '@gatehouse/service-kit/signing-key';
import type { NextFunction, Request, Response } from 'express';
import type { Context } from './http/context.ts';
import { errorBody, toHttp } from './http/error-body.ts';
import { limitRequests } from './http/rate.ts';
import { addRoutes } from './http/routes.ts';
import { followPeople } from './people.ts';
import { seedRegistry } from './seed.ts';
import type { Seed } from './seed.ts';
import { boxStore } from './store/boxes.ts';
import { openDatabase } from './store/database.ts';
import { memberStore } from './store/members.ts';
import { namespaceStore } from './store/namespaces.ts';
import { providerStore } from './store/providers.ts';
import { boxSearch } from './store/search.ts';
import { settingStore } from './store/settings.ts';
import { tokenForm } from './store/token-form.ts';
import { twoFactorStore } from './store/two-factor.ts';
import { uploadStore } from './store/uploads.ts';
import type { UploadStore } from './store/uploads.ts';
import { versionStore } from './store/versions.ts';
import { fileCodeSender } from './two-factor/code-sender.ts';
import type { CodeSender } from './two-factor/code-sender.ts';
import { twoFactor } from './two-factor/two-factor.ts';
import { uploadAddresses } from './uploads/addresses.ts';

/** Version of the service. */
export const version = '0.1.0';

/** Where clients reach a registry that nobody told its address. */
const defaultPublicUrl = 'http://127.0.0.1:8300';
const defaultUploadLifetimeMs = 60 * 60 * 1000;
const defaultIdleDeadlineMs = 120_000;
/** 6,000 a minute. */
const defaultRequestLimit: RateLimit = { burst: 6000, perSecond: 100 };

/** Requests a second. */
export interface RateLimits {
  /** All requests, for each token or address; 6,000 a minute unless given. */
  readonly requests?: RateLimit;
}

/** What the box registry needs. */
export interface BoxRegistryOptions {
  /** Folder of box-registry.db and of the images; created when missing. */
  readonly dataDir: string;
  /** The accounts that the embedded services share. The caller closes them. */
  readonly accounts: AccountStore;
  /**
   * Where clients reach the registry (`https://boxes.example.com`), for the addresses that it hands out; a function where it
   * is known only after listening. `http://127.0.0.1:8300` unless given.
   */
  readonly publicUrl?: string | (() => string);
  readonly clock?: Clock;
  readonly log?: Log;
  readonly rateLimit?: RateLimits;
  /** What second factors are sealed under; box-registry-keys.json in the data folder unless given. */
  readonly keys?: KeyRing;
  /** Where images are kept; in the folder `box-images` of the data folder unless given. */
  readonly images?: ObjectStore;
  /** Takes sign-in codes to people; box-registry-codes.log in the data folder unless given. */
  readonly codeSender?: CodeSender;
  /** What a registry without organizations is filled with; nothing unless given. */
  readonly seed?: Seed;
  /** How long an upload address can be used, in milliseconds; an hour unless given. */
  readonly uploadLifetimeMs?: number;
  /** How long nothing may come or go on a transfer of an image, in milliseconds; two minutes unless given. */
  readonly idleDeadlineMs?: number;
}

/**
 * The box registry.
 * @throws StoreUnavailable when the store cannot be opened; KeyRingRefused or SealBroken when the key ring cannot be used or
 * is not the one that the store was written under
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
    const images = options.images ?? (await diskObjects(join(dataDir, 'box-images'), 'images'));
    await uploads.removeExpired(clock.now(), new Set());
    await sweep(images, uploads, log);
    context = {
      accounts,
      tokens: accountTokens(store, tokenForm),
      twoFactor: twoFactor({
        store: twoFactorStore(store),
        keys,
        sender: options.codeSender ?? fileCodeSender(join(dataDir, 'box-registry-codes.log')),
        clock,
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
  app.get('/health', async (_req, res) => {
    const healthy = store.healthy() && accounts.healthy();
    sendJson(res, healthy ? 200 : 503, { version, store_reachable: await context.images.reachable() });
  });
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

/** Removes what interrupted uploads left. A store that cannot be reached yet keeps nobody from reading boxes. */
async function sweep(images: ObjectStore, uploads: UploadStore, log: Log): Promise<void> {
  try {
    const count = await images.sweep((key) => uploads.isReferred(key));
    if (count > 0) log.info('removed what interrupted uploads left', { count });
  } catch (error) {
    log.warn('images not swept', { error });
  }
}

function publicUrlOf(given: string | (() => string)): () => string {
  const trimmed = (url: string): string => url.replace(/\/+$/, '');
  if (typeof given === 'function') return () => trimmed(given());
  const url = trimmed(given);
  return () => url;
}
