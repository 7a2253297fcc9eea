import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { PlainIconButton } from '../icon-button/PlainIconButton.tsx';
import { TextField, type TextFieldProps } from '../text-field/TextField.tsx';

export interface PasswordFieldProps extends Omit<
  TextFieldProps,
  'type' | 'autoComplete' | 'prefix' | 'suffix' | 'isMono' | 'inputMode' | 'placeholder' | 'spellCheck'
> {
  /** `current-password` to sign in, `new-password` to set one, `off` for a token. */
  autoComplete: 'current-password' | 'new-password' | 'one-time-code' | 'off';
}

/** An input for a secret: masked, with a button that shows and hides it. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      suffix={
        <span className="-me-1.5 flex">
          <PlainIconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? 'Hide' : 'Show'}
            aria-pressed={isShown}
            onPress={() => {
              setShown(!isShown);
            }}
          />
        </span>
      }
    />
  );
}
