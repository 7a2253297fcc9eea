/** How to show host catalogs, host sets and hosts. */
import type { Host, HostCatalog, HostSet } from '@gatehouse/api-types/console/host-sources';
import { HostSourceIcon } from '@gatehouse/ui/icon';
import { Server } from 'lucide-react';
import { nameOrId } from '#components/record/record-kind.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';

export const shownCatalogs = {
  calls: hostCatalogs,
  noun: 'host catalog',
  many: 'host catalogs',
  title: 'Host sources',
  path: 'host-sources',
  icon: HostSourceIcon,
  nameOf: (item: HostCatalog): string => nameOrId(item),
};

export const shownHostSets = {
  calls: hostSets,
  noun: 'host set',
  icon: HostSourceIcon,
  nameOf: (item: HostSet): string => nameOrId(item),
};

export const shownHosts = {
  calls: hosts,
  noun: 'host',
  icon: Server,
  /** Without a name, the address identifies it. */
  nameOf: (item: Host): string => (item.name === '' ? item.attributes.address : item.name),
};
