import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { CommandPalette, type PaletteGroup } from './CommandPalette.tsx';

afterEach(cleanup);

function Palette({ groups, onClose }: { groups: readonly PaletteGroup[]; onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <CommandPalette
      onClose={onClose}
      text={text}
      onTextChange={setText}
      groups={groups}
      placeholder="Search"
      emptyText="Nothing"
    />
  );
}

const item = (id: string, onAction: () => void) => ({ id, label: id, onAction });

test('runs the first item on Enter if the selected one disappeared, and otherwise only the selected one', async () => {
  const user = userEvent.setup();
  const done: string[] = [];
  const groupOf = (...ids: readonly string[]): readonly PaletteGroup[] => [
    { title: 'Found', items: ids.map((id) => item(id, () => done.push(id))) },
  ];
  const close = vi.fn<() => void>();
  const { rerender } = render(<Palette groups={groupOf('old')} onClose={close} />);
  await user.type(screen.getByRole('searchbox'), 'x');
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('menuitem', { name: 'old' }).dataset['focused']).toBe('true');
  // The matches change: an answer arrives, or the page has other actions.
  rerender(<Palette groups={groupOf('first', 'second')} onClose={close} />);
  await user.keyboard('{Enter}');
  expect(done).toEqual(['first']);
  expect(close).toHaveBeenCalledOnce();

  await user.keyboard('{End}');
  expect(screen.getByRole('menuitem', { name: 'second' }).dataset['focused']).toBe('true');
  await user.keyboard('{Enter}');
  expect(done).toEqual(['first', 'second']);
});

test('does nothing on Enter without text or selection', async () => {
  const user = userEvent.setup();
  const act = vi.fn<() => void>();
  render(<Palette groups={[{ title: 'Places', items: [item('Targets', act)] }]} onClose={() => undefined} />);
  await user.click(screen.getByRole('searchbox'));
  await user.keyboard('{Enter}');
  expect(act).not.toHaveBeenCalled();
});
