import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './Button.tsx';

afterEach(cleanup);

describe('a button with a disabled reason', () => {
  test('keeps focus, shows the reason, and does nothing', async () => {
    const user = userEvent.setup();
    const onPress = vi.fn<() => void>();
    render(
      <Button onPress={onPress} disabledReason="Your role is read-only.">
        Edit
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Edit' });
    await user.tab();
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    const reasonId = button.getAttribute('aria-describedby')?.split(' ')[0] ?? '';
    expect(document.getElementById(reasonId)?.textContent).toBe('Your role is read-only.');
    await user.hover(button);
    expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toBe(
      'Your role is read-only.',
    );

    await user.keyboard('{Enter} ');
    await user.click(button);
    expect(onPress).not.toHaveBeenCalled();
  });

  test('does not submit its form', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn<() => void>();
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" disabledReason="Nothing changed.">
          Save
        </Button>
      </form>,
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

test("keeps focus while pending and can't be pressed again", async () => {
  const user = userEvent.setup();
  const onPress = vi.fn<() => void>();
  const { rerender } = render(<Button onPress={onPress}>Save</Button>);
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onPress).toHaveBeenCalledOnce();
  rerender(
    <Button onPress={onPress} isPending>
      Save
    </Button>,
  );
  await user.keyboard('{Enter}');
  expect(onPress).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(screen.getByRole('button'));
});
