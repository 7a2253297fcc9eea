import type { Host, HostSet } from '@gatehouse/api-types/console/host-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { updatedColumn } from '#components/record/placed-columns.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { shownHosts } from '../kinds.ts';

export const hostSetColumns: readonly GridColumn<HostSet>[] = [
  { id: 'name', header: 'Name', value: nameOrId, width: 220, isRowHeader: true, sortable: true },
  { id: 'id', header: 'ID', value: ({ id }) => id, width: 156, isMono: true, sortable: true },
  {
    id: 'hosts',
    header: 'Hosts',
    value: ({ host_ids }) => host_ids.length,
    width: 80,
    align: 'end',
    sortable: true,
  },
  {
    id: 'description',
    header: 'Description',
    value: ({ description }) => description,
    width: 360,
    sortable: true,
  },
  updatedColumn<HostSet>(),
];

/** The columns of hosts, with the names of the sets that contain each. */
export function hostColumns(sets: readonly HostSet[]): readonly GridColumn<Host>[] {
  const names = new Map(sets.map((set) => [set.id, nameOrId(set)]));
  return [
    {
      id: 'name',
      header: 'Name',
      value: shownHosts.nameOf,
      below: ({ attributes }) => attributes.address,
      width: 200,
      isRowHeader: true,
      sortable: true,
    },
    {
      id: 'address',
      header: 'Address',
      value: ({ attributes }) => attributes.address,
      width: 200,
      isMono: true,
      sortable: true,
    },
    { id: 'id', header: 'ID', value: ({ id }) => id, width: 148, isMono: true, sortable: true },
    {
      id: 'sets',
      header: 'Host sets',
      value: ({ host_set_ids }) => host_set_ids.map((id) => names.get(id) ?? id).join(', '),
      width: 220,
      sortable: true,
    },
    {
      id: 'description',
      header: 'Description',
      value: ({ description }) => description,
      width: 280,
      sortable: true,
    },
    updatedColumn<Host>(),
  ];
}
