import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Request, Response } from 'express';
import type { TokenLifetimes } from '../domain/auth-token.ts';
import type { SecretsServerLimits } from '../secrets-server/client.ts';
import type { AuthTokenStore } from '../store/auth-tokens.ts';
import type { SessionAuthorizer } from '../store/authorize.ts';
import type { CredentialLibraryStore } from '../store/credential-libraries.ts';
import type { CredentialStoreStore } from '../store/credential-stores.ts';
import type { CredentialsStore } from '../store/credentials.ts';
import type { HostCatalogStore } from '../store/host-catalogs.ts';
import type { HostSetStore } from '../store/host-sets.ts';
import type { HostStore } from '../store/hosts.ts';
import type { ScopeStore } from '../store/scopes.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { TargetStore } from '../store/targets.ts';
import type { VaultLeaseStore } from '../store/vault-leases.ts';
import type { VaultTokenStore } from '../store/vault-tokens.ts';
import type { Vault } from '../store/vault.ts';

/** What all operations use. */
export interface Context {
  readonly accounts: AccountStore;
  readonly scopes: ScopeStore;
  readonly targets: TargetStore;
  readonly hostCatalogs: HostCatalogStore;
  readonly hostSets: HostSetStore;
  readonly hosts: HostStore;
  readonly credentialStores: CredentialStoreStore;
  readonly credentials: CredentialsStore;
  readonly credentialLibraries: CredentialLibraryStore;
  readonly vaultTokens: VaultTokenStore;
  readonly vaultLeases: VaultLeaseStore;
  /** Limits of requests to the secrets servers of credential stores. */
  readonly secretsServerLimits: SecretsServerLimits;
  readonly vault: Vault;
  readonly sessions: SessionStore;
  readonly authorizer: SessionAuthorizer;
  readonly tokens: AuthTokenStore;
  readonly lifetimes: TokenLifetimes;
  readonly clock: Clock;
}

/** Answers one method of one path. */
export type Operation = (context: Context, req: Request, res: Response) => void | Promise<void>;
