/** The registry's kinds of records, for their shared operations. */
import type {
  Box,
  BoxChanges,
  BoxFields,
  BoxVersion,
  Provider,
  ProviderChanges,
  ProviderFields,
  VersionChanges,
  VersionFields,
} from '@gatehouse/api-types/console/boxes';
import {
  harmOfBoxChanges,
  harmOfNewProvider,
  harmOfProviderChanges,
  harmOfVersionChanges,
} from '@gatehouse/api-types/console/harm-of';
import * as upstream from '#upstreams/box-registry/boxes.ts';
import type { BoxPlace, ProviderPlace, VersionPlace } from '#upstreams/box-registry/boxes.ts';
import type { RecordKind } from './record-kind.ts';

export const boxes: RecordKind<BoxPlace, Box, BoxChanges, Pick<BoxPlace, 'username'>, BoxFields> = {
  kind: 'box',
  names: ['username', 'name'],
  made: ({ username }, { name }) => ({ username, name }),
  moved: (at, { name = at.name }) => ({ ...at, name }),
  read: upstream.readBox,
  create: (caller, { username }, fields) => upstream.createBox(caller, username, fields),
  update: upstream.updateBox,
  remove: upstream.deleteBox,
  harmOfChanges: harmOfBoxChanges,
};

export const versions: RecordKind<VersionPlace, BoxVersion, VersionChanges, BoxPlace, VersionFields> = {
  kind: 'box-version',
  names: ['username', 'name', 'version'],
  made: ({ username, name }, { version }) => ({ username, name, version }),
  moved: (at, { version = at.version }) => ({ ...at, version }),
  read: upstream.readVersion,
  create: upstream.createVersion,
  update: upstream.updateVersion,
  remove: upstream.deleteVersion,
  harmOfChanges: harmOfVersionChanges,
};

export const providers: RecordKind<ProviderPlace, Provider, ProviderChanges, VersionPlace, ProviderFields> = {
  kind: 'box-provider',
  names: ['username', 'name', 'version', 'provider', 'architecture'],
  made: ({ username, name, version }, { name: provider, architecture }) => ({
    username,
    name,
    version,
    provider,
    architecture,
  }),
  // The architecture was used to find the record, and the first provider of a name becomes the default in any case.
  compared: ({ architecture: _found, is_default: _told, ...fields }) => fields,
  moved: (at, { name = at.provider, architecture = at.architecture }) => ({
    ...at,
    provider: name,
    architecture,
  }),
  read: upstream.readProvider,
  create: upstream.createProvider,
  update: upstream.updateProvider,
  remove: upstream.deleteProvider,
  harmOfChanges: async (changes, stored, caller, at) =>
    harmOfProviderChanges(changes, stored, await upstream.readVersion(caller, at)),
  harmOfNew: async (fields, caller, within) =>
    harmOfNewProvider(fields, await upstream.readVersion(caller, within)),
};
