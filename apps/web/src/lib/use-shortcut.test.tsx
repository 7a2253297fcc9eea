import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { useShortcut, useShortcutKeys } from './shortcuts.ts';

test('a key works as soon as its component is rendered', async () => {
  const run = vi.fn<() => void>();
  const order: string[] = [];
  function Offer() {
    useShortcutKeys(true);
    useShortcut({ keys: 'c', label: 'Create', group: 'List', run });
    useEffect(() => {
      order.push('after it was drawn');
    }, []);
    return <a href="/new">New</a>;
  }
  const page = document.body.appendChild(document.createElement('div'));
  const drawn = new Promise<void>((resolve) => {
    new MutationObserver(() => {
      order.push('drawn');
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'c' }));
      resolve();
    }).observe(page, { childList: true });
  });
  const root = createRoot(page);
  root.render(<Offer />);
  await drawn;
  root.unmount();
  expect(run).toHaveBeenCalledOnce();
  expect(order[0]).toBe('drawn');
});
