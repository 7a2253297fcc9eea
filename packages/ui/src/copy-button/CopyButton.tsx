import { Check, Copy, CopyX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../button/Button.tsx';
import type { ButtonSize } from '../button/buttonClass.ts';
import { IconButton } from '../icon-button/IconButton.tsx';
import { clearClipboardLater, secretSeconds } from './clear-clipboard.ts';

export interface CopyButtonProps {
  /** What goes to the clipboard. A function is asked at the press, so that a secret is fetched only then. */
  text: string | (() => Promise<string>);
  /** What is copied: `Copy ID`. */
  label: string;
  /** Shows the label as words beside the icon. */
  hasWords?: boolean;
  size?: ButtonSize;
  /** It is a secret: the clipboard is cleared after a while, and that is said. */
  isSecret?: boolean;
}

/** Only the newest secret in the clipboard is cleared. */
let giveUpClearing: () => void = () => undefined;

type Outcome = 'ready' | 'copying' | 'copied' | 'failed';

const icons = { ready: Copy, copying: Copy, copied: Check, failed: CopyX };

/** Copies, shows for two seconds that it did, and announces it. */
export function CopyButton({ text, label, hasWords = false, size = 28, isSecret = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('ready');
  const isShownLonger = isSecret && outcome === 'copied';

  useEffect(() => {
    if (outcome !== 'copied' && outcome !== 'failed') return undefined;
    const timer = setTimeout(
      () => {
        setOutcome('ready');
      },
      isShownLonger ? secretSeconds * 1000 : 2_000,
    );
    return () => {
      clearTimeout(timer);
    };
  }, [outcome, isShownLonger]);

  async function copy(): Promise<void> {
    setOutcome('copying');
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome('copied');
      giveUpClearing();
      giveUpClearing = isSecret
        ? clearClipboardLater(() => {
            setOutcome('ready');
          })
        : () => undefined;
    } catch {
      setOutcome('failed');
    }
  }

  const copied = isSecret
    ? `Copied, cleared in ${String(secretSeconds)} s while this tab has focus`
    : 'Copied';
  const words = outcome === 'copied' ? copied : outcome === 'failed' ? 'Could not copy' : label;
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
