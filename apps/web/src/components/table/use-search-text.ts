import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** A pause in typing after which the address follows, in ms. */
const typingMs = 200;

/**
 * The text of a search field whose address follows it: what is typed is never waited for, and what comes from elsewhere,
 * such as Back, is taken over.
 * @param stored the text in the address
 * @param store puts a text there
 */
export function useSearchText(
  stored: string,
  store: (text: string) => void,
): { text: string; write: (text: string) => void } {
  const router = useRouter();
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
    // Who opened something right after typing is not brought back by the text.
    if (router.latestLocation.pathname === place.current) store(text);
  });
  useEffect(() => {
    if (text === sent) return undefined;
    const timer = window.setTimeout(
      () => {
        send();
      },
      // What is emptied is answered at once.
      text === '' ? 0 : typingMs,
    );
    return () => {
      window.clearTimeout(timer);
    };
  }, [text, sent]);
  return {
    text,
    write: (next) => {
      place.current = router.latestLocation.pathname;
      setText(next);
    },
  };
}
