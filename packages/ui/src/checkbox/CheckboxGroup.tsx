import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { Checkbox } from './Checkbox.tsx';

export interface CheckboxGroupOption {
  value: string;
  label: string;
  description?: string;
  disabledReason?: string;
}

export interface CheckboxGroupProps extends Omit<FieldProps, 'size'> {
  options: readonly CheckboxGroupOption[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  name?: string;
}

/** A choice of any number of a few options. */
export function CheckboxGroup(props: CheckboxGroupProps) {
  const { field, control } = splitFieldProps(props);
  const { options, value, onChange, onBlur, name } = control;
  return (
    <Field {...field} isGroup>
      {({ 'aria-disabled': isLocked = false, ...wiring }) => (
        <div
          {...wiring}
          role="group"
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
          }}
          className="flex flex-col gap-2 py-1"
        >
          {options.map((option) => (
            <Checkbox
              key={option.value}
              name={name}
              value={option.value}
              isSelected={value.includes(option.value)}
              onChange={(isSelected) => {
                if (isLocked) return;
                onChange(
                  isSelected ? [...value, option.value] : value.filter((other) => other !== option.value),
                );
              }}
              description={option.description}
              disabledReason={option.disabledReason}
            >
              {option.label}
            </Checkbox>
          ))}
        </div>
      )}
    </Field>
  );
}
