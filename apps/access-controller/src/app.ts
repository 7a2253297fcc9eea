import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { systemClock } from '@gatehouse/service-kit/clock';
import type { Clock } from '@gatehouse/service-kit/clock';
import { createApp, errorHandler, jsonBody, sendJson, takeTurns } from '@gatehouse/service-kit/http';
import { requestId, requestLog, silentLog } from '@gatehouse/service-kit/log';
import type { Log } from '@gatehouse/service-kit/log';
import { limitRate, rateLimiter, requestKey } from '@gatehouse/service-kit/rate-limit';
import type { RateLimit } from '@gatehouse/service-kit/rate-limit';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Service } from '@gatehouse/service-kit/service';
import { probeTurn } from '@gatehouse/service-kit/slices';
import type { NextFunction, Request, Response } from 'express';
import { defaultLifetimes } from './domain/auth-token.ts';
import type { TokenLifetimes } from './domain/auth-token.ts';
import { wellKnownSeed } from './domain/seed.ts';
import type { Seed } from './domain/seed.ts';
import { askerOf } from './http/caller.ts';
import type { Context } from './http/context.ts';
import { errorBody, toHttp } from './http/error-body.ts';
import { addRoutes } from './http/routes.ts';
import { defaultLimits } from './secrets-server/client.ts';
import type { SecretsServerLimits } from './secrets-server/client.ts';
import { startUpkeep } from './secrets-server/upkeep.ts';
import { authTokenStore } from './store/auth-tokens.ts';
import { sessionAuthorizer } from './store/authorize.ts';
import { forgetOldMarks } from './store/changes.ts';
import { credentialLibraryStore } from './store/credential-libraries.ts';
import { credentialStoreStore } from './store/credential-stores.ts';
import { credentialsStore } from './store/credentials.ts';
import { openDatabase } from './store/database.ts';
import { hostCatalogStore } from './store/host-catalogs.ts';
import { hostSetStore } from './store/host-sets.ts';
import { hostStore } from './store/hosts.ts';
import { scopeStore } from './store/scopes.ts';
import { seedStore } from './store/seed.ts';
import { sessionStore } from './store/sessions.ts';
import { targetStore } from './store/targets.ts';
import { vaultLeaseStore } from './store/vault-leases.ts';
import { vaultTokenStore } from './store/vault-tokens.ts';
import { openVault } from './store/vault.ts';
import type { Vault } from './store/vault.ts';

export const version = '0.1.0';

const defaultUpkeepMs = 1000;

/** Rate limits, in requests per second. A missing limit is no limit. */
export interface RateLimits {
  /** All requests, per client address; reads and other requests separately. */
  readonly requests?: RateLimit;
}

export interface AccessControllerOptions {
  /** The folder of access-controller.db, created if missing. */
  readonly dataDir: string;
  /** The accounts that the embedded services share. The caller closes them. */
  readonly accounts: AccountStore;
  readonly clock?: Clock;
  readonly log?: Log;
  /** No limits by default. */
  readonly rateLimit?: RateLimits;
  readonly tokenLifetimes?: TokenLifetimes;
  /** The initial content of an empty store; by default the well-known organization, project and target. */
  readonly seed?: Seed;
  /** The keys that encrypt stored credentials; by default access-controller-keys.json in the data folder. */
  readonly keys?: KeyRing;
  /** Limits of requests to the secrets servers of credential stores. */
  readonly secretsServerLimits?: Partial<SecretsServerLimits>;
  /** The interval between checks of tokens and leases at secrets servers, in milliseconds; 1,000 by default. */
  readonly upkeepMs?: number;
}

/**
 * Creates the access controller.
 * @throws StoreRefused if the store can't be opened
 * @throws KeyRingRefused if the key ring can't be used or isn't the one that the store was written with
 * @throws Refusal if the seed breaks the rules
 */
export async function createService(options: AccessControllerOptions): Promise<Service> {
  const {
    dataDir,
    accounts,
    clock = systemClock,
    log = silentLog,
    rateLimit = {},
    seed = wellKnownSeed,
  } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const keys = options.keys ?? keyRingFromFile(join(dataDir, 'access-controller-keys.json'));
  const store = openDatabase(dataDir);
  let vault: Vault;
  try {
    vault = await openVault(store, keys);
    if (await seedStore(store, seed, clock.now())) log.info('seeded an empty store');
  } catch (error) {
    await store.close();
    throw error;
  }
  const context: Context = {
    accounts,
    scopes: scopeStore(store),
    targets: targetStore(store),
    hostCatalogs: hostCatalogStore(store),
    hostSets: hostSetStore(store),
    hosts: hostStore(store),
    credentialStores: credentialStoreStore(store),
    credentials: credentialsStore(store),
    credentialLibraries: credentialLibraryStore(store),
    vaultTokens: vaultTokenStore(store),
    vaultLeases: vaultLeaseStore(store, log),
    secretsServerLimits: { ...defaultLimits, ...options.secretsServerLimits },
    vault,
    sessions: sessionStore(store),
    authorizer: sessionAuthorizer(store),
    tokens: authTokenStore(store),
    lifetimes: options.tokenLifetimes ?? defaultLifetimes,
    clock,
  };
  /** Whether users who have left may still have sessions: at the start, and after a failure. */
  let mayBeLeft = true;
  const cancelSessions = async (): Promise<void> => {
    if (!mayBeLeft) return;
    mayBeLeft = false;
    try {
      for (const userId of context.sessions.users())
        if (accounts.get(userId)?.disabled === true || accounts.isRemoved(userId))
          await context.sessions.cancelOfUser(userId, clock.now());
    } catch (error) {
      mayBeLeft = true;
      throw error;
    }
  };
  const stopUpkeep = startUpkeep(
    {
      ...context,
      cancelSessions,
      forgetMarks: (now) => forgetOldMarks(store, now),
      log,
      limits: context.secretsServerLimits,
    },
    options.upkeepMs ?? defaultUpkeepMs,
  );
  const stopListening = accounts.onChange(({ account, changed }) => {
    const left = account.disabled || changed === 'removed';
    if (!left && changed !== 'password') return;
    // The tokens are already void; removing them only frees space.
    context.tokens
      .removeOfUser(account.id)
      .catch((error: unknown) => log.warn('void tokens not deleted', { error }));
    if (!left) return;
    context.sessions.cancelOfUser(account.id, clock.now()).catch((error: unknown) => {
      mayBeLeft = true;
      log.warn('sessions not canceled', { error });
    });
  });

  const app = createApp();
  app.use(requestId(), requestLog(log, clock));
  app.get('/health', async (req, res) => {
    await probeTurn(clientAddress(req), () => res.destroyed);
    const healthy = store.healthy() && accounts.healthy();
    sendJson(res, healthy ? 200 : 503, { version });
  });
  app.use(takeTurns((req) => askerOf(context, req)));
  if (rateLimit.requests !== undefined)
    app.use(limitRate({ limiter: rateLimiter(rateLimit.requests, clock), key: (req) => requestKey(req) }));
  app.use(jsonBody({ exactNumbers: true, askerOf: (req) => askerOf(context, req) }));
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
    name: 'access',
    version,
    handler: app,
    errorBody,
    ready: () => Promise.resolve(store.healthy() && accounts.healthy()),
    async close() {
      stopListening();
      await stopUpkeep();
      await store.close();
    },
  };
}
