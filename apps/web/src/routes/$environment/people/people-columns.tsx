import type { Person } from '@gatehouse/api-types/console/people';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import { Time } from '#components/environment/Time.tsx';
import { roleWord, serviceOrder } from '#components/people/person-words.ts';
import { serviceLabels } from '#lib/error-words.ts';

export function DisabledBadge({ disabled }: Pick<Person, 'disabled'>) {
  return disabled && <Badge tone="warn">Disabled</Badge>;
}

export const peopleColumns: readonly GridColumn<Person>[] = [
  {
    id: 'login_name',
    header: 'Login name',
    value: (person) => person.login_name,
    below: ({ full_name: name, disabled }) => (disabled ? `${name} · Disabled` : name),
    width: 180,
    isRowHeader: true,
    sortable: true,
  },
  { id: 'full_name', header: 'Full name', value: (person) => person.full_name, width: 180, sortable: true },
  {
    id: 'state',
    header: 'State',
    value: (person) => (person.disabled ? 'Disabled' : 'Enabled'),
    cell: (person) => DisabledBadge(person) || <Badge tone="ok">Enabled</Badge>,
    width: 108,
    sortable: true,
  },
  ...serviceOrder.map((service): GridColumn<Person> => ({
    id: service,
    header: serviceLabels[service],
    value: (person) => (person.roles === null ? '' : roleWord(person.roles[service])),
    cell: (person) =>
      person.roles === null ? (
        <span className="text-ink-3">Not reported</span>
      ) : person.roles[service] === null ? (
        <span className="text-ink-3">No access</span>
      ) : (
        roleWord(person.roles[service])
      ),
    width: 146,
    sortable: true,
  })),
  { id: 'email', header: 'E-mail', value: (person) => person.email, width: 200, sortable: true },
  { id: 'id', header: 'ID', value: (person) => person.id, width: 132, isMono: true, sortable: true },
  {
    id: 'updated_time',
    header: 'Updated',
    value: (person) => person.updated_time,
    cell: (person) => <Time value={person.updated_time} isRelative />,
    width: 132,
    sortable: true,
  },
];

export const peopleView: GridView = {
  hidden: ['email', 'id', 'updated_time'],
  widths: {},
  pinned: { start: ['login_name'], end: [] },
  density: 32,
};
