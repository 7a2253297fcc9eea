import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { pendingWrites } from './use-search-state.ts';

/** A pause in typing after which the address follows, in ms. */
const typingMs = 200;

/**
 * The text of a search field, which the address follows after a pause in typing. A text from elsewhere, such as Back,
 * replaces it. Leaving the list within the pause still writes it, so that Back restores it.
 * @param stored the text in the address
 * @param store puts a text there
 */
export function useSearchText(
  stored: string,
  store: (text: string) => void,
): { text: string; write: (text: string) => void } {
  const { history } = useRouter();
  /** Where the text was typed. */
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
    // Back has left already: the address is that of another page.
    if (history.location.pathname === place.current) store(text);
  });
  useEffect(() => {
    if (text === sent) return undefined;
    const settle = (): void => {
      end();
      send();
      // Otherwise the history makes one entry of this change and the next.
      history.flush();
    };
    // What is emptied is answered at once.
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
