import { Suspense, useState } from 'react';
import { FilterInput, type FilterInputProps } from '../filter/FilterInput.tsx';
import { readFilter } from '../filter/read-filter.ts';
import type { FilterFieldInput } from './record-form.ts';

export interface FilterFieldProps extends Omit<FilterInputProps, 'fields' | 'problem' | 'placeholder'> {
  input: FilterFieldInput;
  /** The problem that the form or the controller found. */
  error: string | undefined;
}

/** A filter expression stored with a record, validated like the controller does once the field is left. */
export function FilterField({ input, value, error, onBlur, onChange, ...rest }: FilterFieldProps) {
  const [isLeft, setLeft] = useState(false);
  const { Below } = input;
  const problem = isLeft ? readFilter(value)?.problem : undefined;
  return (
    <>
      <FilterInput
        {...rest}
        fields={input.useFields()}
        value={value}
        onChange={onChange}
        onBlur={() => {
          setLeft(true);
          onBlur?.();
        }}
        problem={error ?? problem}
        {...(input.placeholder !== undefined && { placeholder: input.placeholder })}
      />
      {Below && (
        <Suspense fallback={null}>
          <Below filter={value} label={rest.label} />
        </Suspense>
      )}
    </>
  );
}
