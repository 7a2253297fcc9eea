import { Suspense, useState } from 'react';
import { FilterInput, type FilterInputProps } from '../filter/FilterInput.tsx';
import { readFilter } from '../filter/read-filter.ts';
import type { FilterFieldInput } from './record-form.ts';

export interface FilterFieldProps extends Omit<FilterInputProps, 'fields' | 'problem' | 'placeholder'> {
  input: FilterFieldInput;
  /** What the form or the controller has against it. */
  error: string | undefined;
}

/** A filter expression that is stored with a record: checked as the controller will when one has written it. */
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
