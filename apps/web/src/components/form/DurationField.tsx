import { readDuration } from '@gatehouse/api-types/console/read-duration';
import { TextField } from '@gatehouse/ui/text-field';
import type { ReactNode, Ref } from 'react';
import { durationInWords, tidyDuration } from '#lib/duration.ts';

export interface DurationFieldProps {
  label: string;
  name: string;
  description?: string;
  help?: ReactNode;
  error: string | undefined;
  disabledReason: string | undefined;
  isRequired?: boolean;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  inputRef: Ref<HTMLInputElement>;
  /** The meaning of an empty duration. */
  none: string;
}

/** A duration in the server's notation, shown in words below. */
export function DurationField({ none, value, onBlur, ...rest }: DurationFieldProps) {
  const seconds = readDuration(value);
  /** Converts a duration typed in words when the field is left. */
  const leave = (): void => {
    const tidy = tidyDuration(value);
    if (tidy !== value) rest.onChange(tidy);
    onBlur();
  };
  const words = seconds === undefined ? '' : seconds === 0 ? none : durationInWords(seconds);
  return (
    <div className="flex flex-col gap-1">
      <TextField
        {...rest}
        value={value}
        onBlur={leave}
        isMono
        autoComplete="off"
        spellCheck="false"
        placeholder="720h"
      />
      <p aria-live="polite" className="min-h-4 text-meta text-ink-2">
        {words !== '' && <>That is {words}.</>}
      </p>
    </div>
  );
}
