import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Button } from '../button/Button.tsx';
import { Popover } from './Popover.tsx';

afterEach(cleanup);

test('is named, gets focus, closes with its button and Esc, and returns focus', async () => {
  const user = userEvent.setup();
  render(
    <Popover label="Filter" trigger={<Button>Filter</Button>}>
      {({ close }) => <Button onPress={close}>Apply</Button>}
    </Popover>,
  );
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  const panel = screen.getByRole('dialog', { name: 'Filter' });
  expect(panel.contains(document.activeElement)).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  expect(screen.queryByRole('dialog')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }));
  });
});
