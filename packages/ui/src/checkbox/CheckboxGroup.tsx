import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components';
import { fieldLayoutClass } from '../field/FieldMarks.tsx';
import { FieldLayout } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';
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

/** Any of a few. */
export function CheckboxGroup(props: CheckboxGroupProps) {
  const { field, control } = splitFieldProps(props);
  const { options, value, onChange, onBlur, name } = control;
  return (
    <AriaCheckboxGroup
      value={[...value]}
      onChange={onChange}
      onBlur={onBlur}
      name={name}
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isReadOnly={field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        <div className="flex flex-col gap-2 py-1">
          {options.map((option) => (
            <Checkbox
              key={option.value}
              value={option.value}
              description={option.description}
              disabledReason={option.disabledReason}
            >
              {option.label}
            </Checkbox>
          ))}
        </div>
      </FieldLayout>
    </AriaCheckboxGroup>
  );
}
