/** The kinds of records of the registry, for the operations that they have in common. */
import type {
  Box,
  BoxChanges,
  BoxVersion,
  Provider,
  ProviderChanges,
  VersionChanges,
} from '@gatehouse/api-types/console/boxes';
import * as upstream from '#upstreams/box-registry/boxes.ts';
import type { BoxPlace, ProviderPlace, VersionPlace } from '#upstreams/box-registry/boxes.ts';
import type { RecordKind } from './records.ts';

export const boxes: RecordKind<BoxPlace, Box, BoxChanges> = {
  kind: 'box',
  names: ['username', 'name'],
  moved: (at, { name = at.name }) => ({ ...at, name }),
  read: upstream.readBox,
  update: upstream.updateBox,
  remove: upstream.deleteBox,
};

export const versions: RecordKind<VersionPlace, BoxVersion, VersionChanges> = {
  kind: 'box-version',
  names: ['username', 'name', 'version'],
  moved: (at, { version = at.version }) => ({ ...at, version }),
  read: upstream.readVersion,
  update: upstream.updateVersion,
  remove: upstream.deleteVersion,
};

export const providers: RecordKind<ProviderPlace, Provider, ProviderChanges> = {
  kind: 'box-provider',
  names: ['username', 'name', 'version', 'provider'],
  moved: (at, { name = at.provider }) => ({ ...at, provider: name }),
  read: upstream.readProvider,
  update: upstream.updateProvider,
  remove: upstream.deleteProvider,
};
