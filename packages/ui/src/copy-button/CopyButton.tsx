import { Check, Copy, CopyX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../button/Button.tsx';
import type { ButtonSize } from '../button/buttonClass.ts';
import { IconButton } from '../icon-button/IconButton.tsx';

export interface CopyButtonProps {
  /** What goes to the clipboard. A function is asked at the press, so that a secret is fetched only then. */
  text: string | (() => Promise<string>);
  /** What is copied: `Copy id`. */
  label: string;
  /** Shows the label as words beside the icon. */
  hasWords?: boolean;
  size?: ButtonSize;
}

type Outcome = 'ready' | 'copying' | 'copied' | 'failed';

const icons = { ready: Copy, copying: Copy, copied: Check, failed: CopyX };

/** Copies, shows for two seconds that it did, and announces it. */
export function CopyButton({ text, label, hasWords = false, size = 28 }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('ready');

  useEffect(() => {
    if (outcome !== 'copied' && outcome !== 'failed') return undefined;
    const timer = setTimeout(() => {
      setOutcome('ready');
    }, 2_000);
    return () => {
      clearTimeout(timer);
    };
  }, [outcome]);

  async function copy(): Promise<void> {
    setOutcome('copying');
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  }

  const words = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : label;
  const shared = {
    icon: icons[outcome],
    size,
    isPending: outcome === 'copying' && typeof text !== 'string',
    onPress: () => void copy(),
  };
  return (
    <>
      {hasWords ? <Button {...shared}>{words}</Button> : <IconButton {...shared} label={words} />}
      <span role="status" className="sr-only">
        {outcome === 'copied' || outcome === 'failed' ? words : ''}
      </span>
    </>
  );
}
