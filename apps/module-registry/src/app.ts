import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  contentReader,
  type ContentReader,
  type ContentReaderOptions,
} from '@gatehouse/module-archive/content-reader';
import { archiveBounds, type ArchiveBounds } from '@gatehouse/module-archive/read-archive';
import { accountTokens, type TokenStore, type TokenForm } from '@gatehouse/service-kit/account-tokens';
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
import { limitRate, rateLimiter, requestKey, type RateLimit } from '@gatehouse/service-kit/rate-limit';
import { keyRingFromFile, type KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Service } from '@gatehouse/service-kit/service';
import { signingKey } from '@gatehouse/service-kit/signing-key';
import { probeTurn } from '@gatehouse/service-kit/slices';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { NextFunction, Request, Response } from 'express';
import { archiveAddresses } from './domain/archive-addresses.ts';
import { askerOf, holderOf } from './http/caller.ts';
import type { Context } from './http/context.ts';
import { errorBody, toHttp } from './http/error-body.ts';
import { addRoutes } from './http/routes.ts';
import { openDatabase } from './store/database.ts';
import { downloadStore } from './store/downloads.ts';
import { moduleStore } from './store/modules.ts';
import { seedModules, type Seed } from './store/seed.ts';

/** 48 characters are about 285 bits. */
const tokenForm: TokenForm = {
  form: /^gm_[0-9A-Za-z]{48}$/,
  make: () => `gm_${randomBase62(48)}`,
};

export type { Seed, SeedModule } from './store/seed.ts';

export const version = '0.1.0';

const defaultArchiveLifetimeMs = 10 * 60 * 1000;
const defaultIdleDeadlineMs = 120_000;
/** Enough for the largest archive at 150 kbit/s. */
const defaultArchiveDeadlineMs = 60 * 60 * 1000;
/** Archives that are received at once: each keeps about 6 MB in memory, and up to 16 MiB of the disk reserved. */
const mostArchives = 16;
/** 6,000 per minute. */
const defaultRequestLimit: RateLimit = { burst: 6000, perSecond: 100 };

export interface ModuleRegistryOptions {
  /** The folder of module-registry.db and of the archives, created if missing. */
  readonly dataDir: string;
  /** The accounts that the embedded services share. The caller closes them. */
  readonly accounts: AccountStore;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly rateLimit?: {
    /** Requests other than sign-ins, per token or address; 6,000 per minute by default. */
    readonly requests?: RateLimit;
  };
  /** The keys that encrypt the keys for archive URLs; by default module-registry-keys.json in the data folder. */
  readonly keys?: KeyRing;
  /** The store of archives; by default the folder `module-archives` in the data folder. */
  readonly archives?: ObjectStore;
  /** The initial content of a registry without modules; empty by default. */
  readonly seed?: Seed;
  /** Limits of archives that differ from the defaults. */
  readonly bounds?: Partial<ArchiveBounds>;
  /** Options of the registry's own content reader. */
  readonly reader?: ContentReaderOptions;
  /** A content reader that several registries share, which the caller closes; by default the registry has its own. */
  readonly content?: ContentReader;
  /** How long an archive URL is valid, in milliseconds; ten minutes by default. */
  readonly archiveLifetimeMs?: number;
  /** How long an archive transfer may stand still, in milliseconds; two minutes by default. */
  readonly idleDeadlineMs?: number;
  /** How long an archive may take to arrive, from its turn on, in milliseconds; an hour by default. */
  readonly archiveDeadlineMs?: number;
}

/**
 * Creates the module registry.
 * @throws StoreRefused if the store can't be opened
 * @throws KeyRingRefused or SealBroken if the key ring can't be used or isn't the one that the store was written with
 */
export async function createService(options: ModuleRegistryOptions): Promise<Service> {
  const { dataDir, accounts, clock = systemClock, log = silentLog, rateLimit = {} } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const keys = options.keys ?? keyRingFromFile(join(dataDir, 'module-registry-keys.json'));
  const store = openDatabase(dataDir);
  let context: Context;
  let stopFollowing: () => Promise<void>;
  try {
    const kept = options.archives ?? (await diskObjects(join(dataDir, 'module-archives'), 'archives'));
    const archives = notedObjects(store, kept);
    const modules = moduleStore(store);
    // If the archive store can't be reached yet, modules can still be read.
    await sweepNoted(store, archives, modules.isReferred, log);
    if (options.seed !== undefined) await seedModules(store, options.seed, clock.now());
    context = {
      accounts,
      tokens: accountTokens(store, tokenForm),
      modules,
      downloads: downloadStore(store),
      archives,
      archiveInTurn: objectTurns(Math.min(archives.atOnce, mostArchives), 'archive'),
      addresses: archiveAddresses(
        await signingKey(store, keys, 'archive-addresses'),
        options.archiveLifetimeMs ?? defaultArchiveLifetimeMs,
      ),
      content: options.content ?? contentReader(options.reader),
      bounds: { ...archiveBounds, ...options.bounds },
      idleDeadlineMs: options.idleDeadlineMs ?? defaultIdleDeadlineMs,
      archiveDeadlineMs: options.archiveDeadlineMs ?? defaultArchiveDeadlineMs,
      clock,
      log,
    };
    stopFollowing = await followAccounts(accounts, context.tokens, log);
  } catch (error) {
    await store.close();
    throw error;
  }

  const app = createApp();
  app.use(requestId(), requestLog(log, clock));
  app.get('/health', async (req, res) => {
    await probeTurn(clientAddress(req), () => res.destroyed);
    const healthy = store.healthy() && accounts.healthy();
    sendJson(res, healthy ? 200 : 503, { version, store_reachable: await context.archives.reachable() });
  });
  app.use(takeTurns((req) => askerOf(context, req)));
  app.use(
    limitRate({
      limiter: rateLimiter(rateLimit.requests ?? defaultRequestLimit, clock),
      // Sign-ins have their own limits: others at the same address must not prevent them.
      key: (req) =>
        req.method === 'POST' && trimEndSlashes(req.path) === '/v1/tokens'
          ? undefined
          : requestKey(req, holderOf(context, req)?.token.id),
    }),
  );
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
    name: 'modules',
    version,
    handler: app,
    errorBody,
    largeBodies: true,
    ready: () => Promise.resolve(store.healthy() && accounts.healthy()),
    async close() {
      await stopFollowing();
      if (options.content === undefined) await context.content.close();
      await store.close();
    },
  };
}

/**
 * Deletes tokens that became void through changes of their owner, including changes that happened while the registry
 * was stopped.
 * @returns a function that stops this
 */
async function followAccounts(
  accounts: AccountStore,
  tokens: TokenStore,
  log: Log,
): Promise<() => Promise<void>> {
  await tokens.removeVoid(accounts);
  let running: Promise<void> = Promise.resolve();
  const stop = accounts.onChange(({ account, changed }) => {
    if (changed !== 'removed' && changed !== 'password' && !account.disabled) return;
    running = running
      .then(() => tokens.removeOfAccount(account.id))
      .catch((error: unknown) => log.warn('account change not applied', { error, userId: account.id }));
  });
  return () => {
    stop();
    return running;
  };
}
