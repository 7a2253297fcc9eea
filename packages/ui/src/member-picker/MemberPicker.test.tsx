import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { MemberPicker, type PickedMember } from './MemberPicker.tsx';

afterEach(cleanup);

const all: readonly PickedMember[] = ['alpha', 'beta', 'gamma'].map((label) => ({
  id: `id-${label}`,
  label,
}));

function Example({
  onValue,
  disabledReason,
}: {
  onValue?: (value: string[]) => void;
  disabledReason?: string;
}) {
  const [value, setValue] = useState<string[]>(['id-alpha']);
  const [search, setSearch] = useState('');
  return (
    <MemberPicker
      label="Host sources"
      noun={{ one: 'host set', many: 'host sets' }}
      stored={['id-alpha']}
      value={value}
      onChange={(next) => {
        setValue(next);
        onValue?.(next);
      }}
      member={(id) => all.find((item) => item.id === id) ?? { id, label: id }}
      search={search}
      onSearch={setSearch}
      found={all.filter(({ label }) => label.includes(search))}
      emptyText="None can be chosen."
      disabledReason={disabledReason}
    />
  );
}

test('adds and removes members and shows the pending changes', async () => {
  const user = userEvent.setup();
  const values: string[][] = [];
  render(<Example onValue={(value) => values.push(value)} />);
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('1 host set');
  await user.click(screen.getByRole('checkbox', { name: 'beta' }));
  expect(status.textContent).toBe('2 host sets1 added');
  await user.click(screen.getByRole('checkbox', { name: 'alpha' }));
  expect(status.textContent).toBe('1 host set1 added1 removed');
  expect(values.at(-1)).toEqual(['id-beta']);
  expect(screen.getByText('to be removed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remove all host sets' }));
  expect(values.at(-1)).toEqual([]);
});

test('filters members and candidates by a search', async () => {
  const user = userEvent.setup();
  render(<Example />);
  await user.type(screen.getByRole('searchbox', { name: 'Search host sets' }), 'gam');
  expect(screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual(['gamma']);
  await user.type(screen.getByRole('searchbox'), 'x');
  expect(screen.getByText('No host set matches "gamx".')).toBeTruthy();
});

test("shows the members and the lock reason if it can't be changed", () => {
  render(<Example disabledReason="It has an address." />);
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.getByText('alpha')).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Host sources' }).getAttribute('aria-describedby')).toBeTruthy();
});
