import type { ContentReader } from '@gatehouse/module-archive/content-reader';
import type { ArchiveBounds } from '@gatehouse/module-archive/read-archive';
import type { TokenStore } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { BodyInTurn } from '@gatehouse/service-kit/body-turns';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import type * as routes from '@gatehouse/service-kit/routes';
import type { ArchiveAddresses } from '../domain/archive-addresses.ts';
import type { DownloadStore } from '../store/downloads.ts';
import type { ModuleStore } from '../store/modules.ts';

/** What all operations use. */
export interface Context {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly modules: ModuleStore;
  readonly downloads: DownloadStore;
  readonly archives: ObjectStore;
  /** Receives an archive in its account's turn. */
  readonly archiveInTurn: BodyInTurn;
  readonly addresses: ArchiveAddresses;
  readonly content: ContentReader;
  readonly bounds: ArchiveBounds;
  /** How long an archive transfer may stand still, in milliseconds. */
  readonly idleDeadlineMs: number;
  /** How long an archive may take to arrive, in milliseconds. */
  readonly archiveDeadlineMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Handles one method of one path. */
export type Operation = routes.Operation<Context>;
