import { Eye, EyeOff } from 'lucide-react';
import { Button } from '../button/Button.tsx';

export interface RevealButtonProps {
  /** The masked value: `the token`. */
  what: string;
  isShown: boolean;
  onChange: (isShown: boolean) => void;
}

/** Reveals and hides masked values displayed elsewhere. */
export function RevealButton({ what, isShown, onChange }: RevealButtonProps) {
  return (
    <Button
      size={28}
      variant="ghost"
      icon={isShown ? EyeOff : Eye}
      onPress={() => {
        onChange(!isShown);
      }}
    >
      {isShown ? 'Hide' : 'Reveal'} {what}
    </Button>
  );
}
