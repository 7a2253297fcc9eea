import type { TokenStore } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { BodyInTurn } from '@gatehouse/service-kit/body-turns';
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

/** What all operations use. */
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
  readonly imageInTurn: BodyInTurn;
  readonly addresses: UploadAddresses;
  /** The uploads whose images are arriving, one per request. They may outlast their URLs. */
  readonly receiving: Set<Upload>;
  /** The URL at which clients reach the registry, without a trailing slash. */
  readonly publicUrl: () => string;
  /** How long an image transfer may stand still, in milliseconds. */
  readonly idleDeadlineMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Handles one method of one path. */
export type Operation = routes.Operation<Context>;
