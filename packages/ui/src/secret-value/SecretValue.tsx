import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '../copy-button/CopyButton.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';

/** Replaces a secret, always with the same length, so that the length reveals nothing. */
export const maskedText = '••••••••••••';

export interface SecretValueProps {
  /** The name of the value: `Password`. */
  label: string;
  text: string;
}

/** A secret to pass on: masked until revealed; copying doesn't reveal it. */
export function SecretValue({ label, text }: SecretValueProps) {
  const [isShown, setShown] = useState(false);
  const name = label.toLowerCase();
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span className="min-w-0 flex-1 py-1 font-mono text-meta/5 whitespace-pre-wrap wrap-anywhere text-ink-1">
        {isShown ? <VisibleEnds text={text} /> : maskedText}
        {!isShown && <span className="sr-only"> (masked)</span>}
      </span>
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? `Hide ${name}` : `Reveal ${name}`}
        onPress={() => {
          setShown(!isShown);
        }}
      />
      <CopyButton text={text} label={`Copy ${name}`} isSecret />
    </span>
  );
}
