import { Eye, EyeOff } from 'lucide-react';
import { type Ref, useState } from 'react';
import { TextField as AriaTextField, Group, Input } from 'react-aria-components';
import { controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { FieldLayout, fieldLayoutClass } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';
import { IconButton } from '../icon-button/IconButton.tsx';
import type { TextFieldProps } from '../text-field/TextField.tsx';

export interface PasswordFieldProps
  extends
    FieldProps,
    Pick<
      TextFieldProps,
      'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'name' | 'id' | 'autoFocus' | 'isDisabled'
    > {
  /** `current-password` to sign in, `new-password` to set one, `off` for a token. */
  autoComplete: 'current-password' | 'new-password' | 'one-time-code' | 'off';
  inputRef?: Ref<HTMLInputElement>;
}

/** A secret that is typed: masked, with a button that shows it while it is pressed down to "shown". */
export function PasswordField(props: PasswordFieldProps) {
  const { field, control } = splitFieldProps(props);
  const { inputRef, ...rest } = control;
  const [isShown, setShown] = useState(false);
  return (
    <AriaTextField
      {...rest}
      type={isShown ? 'text' : 'password'}
      spellCheck="false"
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isReadOnly={field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        <Group className={controlGroupClass({ size: field.size })}>
          <Input ref={inputRef} autoCapitalize="none" className={groupInputClass} />
          <span className="me-0.5 flex scale-90">
            <IconButton
              icon={isShown ? EyeOff : Eye}
              label={isShown ? 'Hide' : 'Show'}
              aria-pressed={isShown}
              onPress={() => {
                setShown(!isShown);
              }}
            />
          </span>
        </Group>
      </FieldLayout>
    </AriaTextField>
  );
}
