import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { SegmentedControl } from './SegmentedControl.tsx';

afterEach(cleanup);

function Theme() {
  const [theme, setTheme] = useState<'light' | 'dark' | 'system'>('light');
  return (
    <SegmentedControl
      label="Theme"
      value={theme}
      onChange={setTheme}
      segments={[
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
        { value: 'system', label: 'System' },
      ]}
    />
  );
}

test('is a single tab stop, and the arrow keys select and wrap around', async () => {
  const user = userEvent.setup();
  render(<Theme />);
  const chosen = () => screen.getByRole('radio', { checked: true });
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Light' }));
  await user.keyboard('{ArrowRight}');
  expect(chosen()).toBe(screen.getByRole('radio', { name: 'Dark' }));
  expect(document.activeElement).toBe(chosen());
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(chosen()).toBe(screen.getByRole('radio', { name: 'System' }));
  await user.click(screen.getByRole('radio', { name: 'Light' }));
  expect(chosen()).toBe(screen.getByRole('radio', { name: 'Light' }));
});
