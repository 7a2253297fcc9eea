import { clsx } from 'clsx';
import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import {
  Button as AriaButton,
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
  Group,
  Input,
} from 'react-aria-components';
import { controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { Icon } from '../icon/Icon.tsx';
import { Kbd } from '../kbd/Kbd.tsx';
import { Spinner } from '../spinner/Spinner.tsx';

export interface SearchFieldProps extends Pick<
  AriaSearchFieldProps,
  'value' | 'defaultValue' | 'onChange' | 'onSubmit' | 'onClear' | 'onFocus' | 'onBlur' | 'autoFocus' | 'name'
> {
  /** Its accessible name; the placeholder says the same unless one is given. */
  label: string;
  placeholder?: string;
  size?: 28 | 32;
  isMono?: boolean;
  /** The answer to what was typed is on its way. */
  isPending?: boolean;
  /** The key that leads here, shown while it is empty. */
  shortcut?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** Search as one types. Esc empties it. Its text is never overwritten by an answer. */
export function SearchField({
  label,
  placeholder = label,
  size = 28,
  isMono = false,
  isPending = false,
  shortcut,
  inputRef,
  ...rest
}: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} aria-label={label} className="group min-w-0">
      <Group className={controlGroupClass({ size, isMono })}>
        <span className="flex shrink-0 ps-2 text-ink-3">
          {isPending ? <Spinner label="Searching" /> : <Icon icon={Search} />}
        </span>
        <Input ref={inputRef} placeholder={placeholder} className={clsx(groupInputClass, 'px-2!')} />
        {shortcut !== undefined && (
          <span className="hidden shrink-0 pe-1.5 group-data-empty:flex">
            <Kbd keys={shortcut} />
          </span>
        )}
        <AriaButton
          aria-label="Clear"
          className="me-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-control text-ink-3 group-data-empty:hidden data-hovered:bg-hover data-hovered:text-ink-1 data-pressed:bg-pressed"
        >
          <Icon icon={X} size={14} />
        </AriaButton>
      </Group>
    </AriaSearchField>
  );
}
