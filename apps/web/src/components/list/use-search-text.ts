import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { pendingWrites } from './use-search-state.ts';

/** The pause in typing, in ms, after which the address is updated. */
const typingMs = 200;

/**
 * The text of a search field, written to the address after a pause in typing. A text from elsewhere, such as
 * Back, replaces it. Leaving the list during the pause still writes it, so that Back restores it.
 * @param stored the text in the address
 * @param store puts a text there
 */
export function useSearchText(
  stored: string,
  store: (text: string) => void,
): { text: string; write: (text: string) => void } {
  const { history } = useRouter();
  /** The path where the text was typed. */
  const place = useRef('');
  const [text, setText] = useState(stored);
  const [sent, setSent] = useState(stored);
  const [seen, setSeen] = useState(stored);
  if (seen !== stored) {
    setSeen(stored);
    if (stored !== sent) {
      setSent(stored);
      setText(stored);
    }
  }
  const send = useEffectEvent(() => {
    setSent(text);
    // Back has already changed the address to that of another page.
    if (history.location.pathname === place.current) store(text);
  });
  useEffect(() => {
    if (text === sent) return undefined;
    const settle = (): void => {
      end();
      send();
      // Otherwise the history would merge this change with the next one.
      history.flush();
    };
    // Clearing the field takes effect at once.
    const timer = window.setTimeout(settle, text === '' ? 0 : typingMs);
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        const leaves = nextLocation.pathname !== currentLocation.pathname;
        if (leaves && (action === 'PUSH' || action === 'REPLACE')) settle();
        return false;
      },
    });
    const end = (): void => {
      window.clearTimeout(timer);
      unblock();
      pendingWrites.delete(settle);
    };
    pendingWrites.add(settle);
    return end;
  }, [text, sent, history]);
  return {
    text,
    write: (next) => {
      place.current = history.location.pathname;
      setText(next);
    },
  };
}
