import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { MenuButton } from './MenuButton.tsx';

afterEach(cleanup);

test('keeps a disabled item in the list with its reason', async () => {
  const user = userEvent.setup();
  const onEdit = vi.fn<() => void>();
  const onMove = vi.fn<() => void>();
  render(
    <MenuButton
      label="Actions"
      items={[
        { id: 'edit', label: 'Edit', onAction: onEdit },
        'separator',
        { id: 'move', label: 'Move', onAction: onMove, disabledReason: 'Only administrators move targets.' },
      ]}
    />,
  );
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  const move = screen.getByRole('menuitem', { name: /^Move/ });
  expect(move.textContent).toBe('Move Only administrators move targets.');
  expect(move.getAttribute('aria-disabled')).toBe('true');
  await user.click(move);
  expect(onMove).not.toHaveBeenCalled();
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  expect(onEdit).toHaveBeenCalledOnce();
});

test('opens no disabled menu', async () => {
  const user = userEvent.setup();
  render(
    <MenuButton label="Bulk edit" items={[{ id: 'a', label: 'A' }]} disabledReason="Select a target." />,
  );
  await user.click(screen.getByRole('button', { name: 'Bulk edit' }));
  await user.keyboard('{Enter}{ArrowDown}');
  expect(screen.queryByRole('menu')).toBeNull();
});
