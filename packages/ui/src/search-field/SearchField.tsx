import { clsx } from 'clsx';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { Icon } from '../icon/Icon.tsx';
import { Kbd } from '../kbd/Kbd.tsx';
import { Spinner } from '../spinner/Spinner.tsx';

export interface SearchFieldProps {
  /** Accessible name, also the placeholder unless given. */
  label: string;
  value?: string;
  defaultValue?: string;
  onChange?: (text: string) => void;
  /** Called on Enter. */
  onSubmit?: (text: string) => void;
  placeholder?: string;
  name?: string;
  autoFocus?: boolean;
  size?: 28 | 32;
  isMono?: boolean;
  /** A search is in progress. */
  isPending?: boolean;
  /** The shortcut to this field, shown while it is empty. */
  shortcut?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** A search field. Esc clears it, and passes on when it is empty. Answers never overwrite its text. */
export function SearchField({
  label,
  value,
  defaultValue = '',
  onChange,
  onSubmit,
  placeholder = label,
  size = 28,
  isMono = false,
  isPending = false,
  shortcut,
  inputRef,
  ...rest
}: SearchFieldProps) {
  const [own, setOwn] = useState(defaultValue);
  const text = value ?? own;
  const box = useRef<HTMLDivElement>(null);

  function write(next: string): void {
    setOwn(next);
    onChange?.(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') onSubmit?.(text);
    if (event.key !== 'Escape' || text === '') return;
    event.preventDefault();
    event.stopPropagation();
    write('');
  }

  return (
    <div ref={box} className={controlGroupClass({ size, isMono })}>
      <span className="flex shrink-0 ps-2 text-ink-3">
        {isPending ? <Spinner label="Searching" /> : <Icon icon={Search} />}
      </span>
      <input
        {...rest}
        ref={inputRef}
        type="search"
        aria-label={label}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          write(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className={clsx(groupInputClass, 'px-2!')}
      />
      {text === '' && shortcut !== undefined && (
        <span className="flex shrink-0 pe-1.5">
          <Kbd keys={shortcut} />
        </span>
      )}
      {text !== '' && (
        <button
          type="button"
          aria-label="Clear"
          onClick={() => {
            write('');
            box.current?.querySelector('input')?.focus();
          }}
          className="me-0.5 inline-flex size-6 shrink-0 cursor-default items-center justify-center rounded-control text-ink-3 hover:bg-hover hover:text-ink-1 active:bg-pressed"
        >
          <Icon icon={X} size={14} />
        </button>
      )}
    </div>
  );
}
