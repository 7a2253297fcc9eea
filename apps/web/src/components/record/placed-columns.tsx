import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Time } from '../environment/Time.tsx';

interface Placed {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly updated_time: string;
  readonly scope: { readonly id: string; readonly name: string };
}

/** Columns for lists of records that projects contain: catalogs, stores. */
export function placedColumns<Item extends Placed>(): readonly GridColumn<Item>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: ({ id, name }) => (name === '' ? id : name),
      below: ({ type, scope }) => `${type} · ${scope.name || scope.id}`,
      width: 240,
      isRowHeader: true,
      sortable: true,
    },
    { id: 'id', header: 'ID', value: ({ id }) => id, width: 148, isMono: true, sortable: true },
    { id: 'type', header: 'Type', value: ({ type }) => type, width: 80, sortable: true },
    {
      id: 'project',
      header: 'Project',
      value: ({ scope }) => scope.name || scope.id,
      width: 160,
      sortable: true,
    },
    {
      id: 'description',
      header: 'Description',
      value: ({ description }) => description,
      width: 320,
      sortable: true,
    },
    updatedColumn<Item>(),
  ];
}

export function updatedColumn<Item extends { readonly updated_time: string }>(): GridColumn<Item> {
  return {
    id: 'updated_time',
    header: 'Updated',
    value: ({ updated_time }) => updated_time,
    cell: ({ updated_time }) => <Time value={updated_time} isRelative />,
    width: 128,
    sortable: true,
  };
}
