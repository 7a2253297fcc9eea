import { type KeyboardEvent, useState } from 'react';
import { TextField, type TextFieldProps } from '../text-field/TextField.tsx';

export interface NumberFieldProps extends Omit<
  TextFieldProps,
  | 'value'
  | 'defaultValue'
  | 'onChange'
  | 'type'
  | 'inputMode'
  | 'maxLength'
  | 'spellCheck'
  | 'isMono'
  | 'onKeyDown'
> {
  /** `null` is empty. */
  value: number | null;
  onChange: (value: number | null) => void;
  /** Limits of the arrow keys. Typed numbers are passed on as they are; the schema refuses them. */
  min?: number;
  max?: number;
  /** Step of an arrow key; ten times as much with Shift. */
  step?: number;
}

function parseWhole(text: string): number | null {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? null : number;
}

/**
 * A whole number. Every keystroke calls `onChange`: a spin box that commits on blur would lose input when a shortcut
 * saves. Letters are dropped, and a pasted `9,200` is accepted.
 */
export function NumberField({ value, onChange, min, max, step = 1, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(value === null ? '' : String(value));
  const shown = parseWhole(text) === value ? text : value === null ? '' : String(value);

  function write(typed: string): void {
    const sign = (min === undefined || min < 0) && typed.trimStart().startsWith('-') ? '-' : '';
    const digits = sign + typed.replace(/\D/g, '');
    setText(digits);
    const next = parseWhole(digits);
    if (next !== value) onChange(next);
  }

  function stepBy(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const by = step * (event.shiftKey ? 10 : 1) * (event.key === 'ArrowUp' ? 1 : -1);
    const next = Math.min(Math.max((value ?? 0) + by, min ?? -Infinity), max ?? Infinity);
    setText(String(next));
    if (next !== value) onChange(next);
  }

  const isLocked = rest.isReadOnly === true || rest.isDisabled === true || rest.disabledReason !== undefined;
  return (
    <TextField
      {...rest}
      value={shown}
      onChange={write}
      inputMode={min !== undefined && min >= 0 ? 'numeric' : 'text'}
      onKeyDown={isLocked ? undefined : stepBy}
    />
  );
}
