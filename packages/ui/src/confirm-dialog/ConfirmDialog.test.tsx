import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfirmDialog } from './ConfirmDialog.tsx';

afterEach(cleanup);

function open(props: {
  typedName?: string;
  onConfirm: () => void;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  render(
    <ConfirmDialog
      isOpen
      onOpenChange={props.onOpenChange ?? (() => undefined)}
      title="Delete target db-primary?"
      confirmLabel="Delete target"
      typedName={props.typedName}
      onConfirm={props.onConfirm}
    >
      It cannot be taken back.
    </ConfirmDialog>,
  );
}

test('requires the exact name', async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn<() => void>();
  open({ typedName: 'db-primary', onConfirm });
  const field = screen.getByRole('textbox', { name: /Type db-primary to confirm/ });
  expect(document.activeElement).toBe(field);

  await user.keyboard('db-Primary{Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText("This doesn't match. Type db-primary exactly.")).toBeTruthy();

  await user.clear(field);
  await user.type(field, 'db-primary');
  await user.click(screen.getByRole('button', { name: 'Delete target' }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('focuses Cancel first without a name, so that Enter does no harm', async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn<() => void>();
  const onOpenChange = vi.fn<(isOpen: boolean) => void>();
  open({ onConfirm, onOpenChange });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  await user.keyboard('{Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
});

test('closes on Esc without confirming', async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn<() => void>();
  const onOpenChange = vi.fn<(isOpen: boolean) => void>();
  open({ typedName: 'db-primary', onConfirm, onOpenChange });
  await user.keyboard('db-primary{Escape}');
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(onConfirm).not.toHaveBeenCalled();
});

test('does not submit the surrounding form', async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn<() => void>();
  const onSubmit = vi.fn<() => void>();
  render(
    <form onSubmit={onSubmit}>
      <ConfirmDialog
        isOpen
        onOpenChange={() => undefined}
        title="Discard 1 change?"
        confirmLabel="Discard 1 change"
        onConfirm={onConfirm}
      />
    </form>,
  );
  await user.click(screen.getByRole('button', { name: 'Discard 1 change' }));
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onSubmit).not.toHaveBeenCalled();
});
