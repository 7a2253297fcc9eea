import { Check, Copy, CopyX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../button/Button.tsx';
import type { ButtonSize } from '../button/buttonClass.ts';
import { IconButton } from '../icon-button/IconButton.tsx';
import { clearClipboardLater, secretSeconds } from './clear-clipboard.ts';

export interface CopyButtonProps {
  /** The text to copy. A function is called on press, so that a secret is only fetched then. */
  text: string | (() => Promise<string>);
  /** The action's label: `Copy ID`. */
  label: string;
  /** Shows the label beside the icon. */
  hasWords?: boolean;
  size?: ButtonSize;
  /** The text is a secret: the clipboard is cleared after a while, which the button announces. */
  isSecret?: boolean;
}

/** Only the last copied secret is cleared. */
let giveUpClearing: () => void = () => undefined;

type Outcome = 'ready' | 'copying' | 'copied' | 'failed';

const icons = { ready: Copy, copying: Copy, copied: Check, failed: CopyX };

/** Copies text, confirms it for two seconds, and announces it. */
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
  const words = outcome === 'copied' ? copied : outcome === 'failed' ? "Couldn't copy" : label;
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
