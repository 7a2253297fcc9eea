import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { RadioGroup } from './RadioGroup.tsx';

afterEach(cleanup);

const options = [
  { value: 'current', label: 'Keep current', description: '5433' },
  { value: 'mine', label: 'Use mine', description: '6432' },
  { value: 'none', label: 'Neither', disabledReason: 'A port is required.' },
];

function Decision() {
  const [value, setValue] = useState<string | null>(null);
  return (
    <RadioGroup label="Default port" options={options} value={value} onChange={setValue} error="Decide." />
  );
}

test('has no preselection, and selects with the keyboard or a press on a label', async () => {
  const user = userEvent.setup();
  render(<Decision />);
  const group = screen.getByRole('radiogroup', { name: 'Default port' });
  expect(group.getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByRole('radio', { checked: true })).toBeNull();
  await user.tab();
  await user.keyboard(' ');
  expect(screen.getByRole('radio', { checked: true })).toBe(
    screen.getByRole('radio', { name: 'Keep current' }),
  );
  await user.click(screen.getByText('6432'));
  expect(screen.getByRole('radio', { checked: true })).toBe(screen.getByRole('radio', { name: 'Use mine' }));
  await user.click(screen.getByText('Neither'));
  expect(screen.getByRole('radio', { checked: true })).toBe(screen.getByRole('radio', { name: 'Use mine' }));
});

test('keeps a locked group focusable and unchanged', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn<(value: string) => void>();
  render(
    <RadioGroup
      label="Type"
      options={options}
      value="mine"
      onChange={onChange}
      disabledReason="Set at creation."
    />,
  );
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Use mine' }));
  await user.click(screen.getByText('Keep current'));
  expect(onChange).not.toHaveBeenCalled();
});
