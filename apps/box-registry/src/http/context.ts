import type { TokenStore } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import type * as routes from '@gatehouse/service-kit/routes';
import type { BoxStore } from '../store/boxes.ts';
import type { MemberStore } from '../store/members.ts';
import type { NamespaceStore } from '../store/namespaces.ts';
import type { ProviderStore } from '../store/providers.ts';
import type { BoxSearch } from '../store/search.ts';
import type { SettingStore } from '../store/settings.ts';
import type { Upload, UploadStore } from '../store/uploads.ts';
import type { VersionStore } from '../store/versions.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { UploadAddresses } from '../uploads/addresses.ts';

/** What operations work with. */
export interface Context {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly twoFactor: TwoFactor;
  readonly namespaces: NamespaceStore;
  readonly members: MemberStore;
  readonly settings: SettingStore;
  readonly boxes: BoxStore;
  readonly search: BoxSearch;
  readonly versions: VersionStore;
  readonly providers: ProviderStore;
  readonly uploads: UploadStore;
  readonly images: ObjectStore;
  readonly addresses: UploadAddresses;
  /** Uploads whose images are coming in now, one for each request: they may take longer than their addresses are good. */
  readonly receiving: Set<Upload>;
  /** Where clients reach the registry, without a slash at its end. */
  readonly publicUrl: () => string;
  /** How long nothing may come or go on a transfer of an image, in milliseconds. */
  readonly idleDeadlineMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Answers one method of one path. */
export type Operation = routes.Operation<Context>;
