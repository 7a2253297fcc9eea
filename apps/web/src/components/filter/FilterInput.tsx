import { Field, type FieldProps } from '@gatehouse/ui/field';
import {
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { completionsAt, type Completion, type FilterFieldName } from './filter-completion.ts';
import { filterError } from './filter-error.ts';

export interface FilterInputProps extends Omit<FieldProps, 'error'> {
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  name?: string;
  inputRef?: Ref<HTMLInputElement>;
  fields: readonly FilterFieldName[];
  placeholder?: string;
  /** Why the controller or the parser refuses the current expression. */
  problem: string | undefined;
  /** Whether a problem moves the focus to its position: for a form that was just sent. */
  focusesProblem?: boolean;
  autoFocus?: boolean;
}

const mostShown = 8;

/**
 * An input for filter expressions. Suggests completions (arrows, Enter or Tab; Ctrl+Space on demand), and
 * marks where the controller stopped parsing.
 */
export function FilterInput({
  value,
  onChange,
  onBlur,
  name,
  inputRef,
  fields,
  placeholder,
  problem,
  focusesProblem = false,
  autoFocus = false,
  ...field
}: FilterInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(inputRef, () => input.current);
  const listId = useId();
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const moveTo = useRef<number>(undefined);
  const found = completionsAt(value, Math.min(caret, value.length), fields);
  const items = isOpen ? found.items.slice(0, mostShown) : [];
  const chosen = active === undefined ? undefined : items[active];
  const error = problem === undefined ? undefined : filterError(problem, value);
  const mark = error?.mark;
  const isTall = field.size !== 28;
  const lineHeight = isTall ? 'leading-7.5' : 'leading-6.5';

  // Moves the caret behind a completion, or to a refused position.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    input.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  });
  const from = mark?.from;
  const to = mark?.to;
  useLayoutEffect(() => {
    if (!focusesProblem || from === undefined || to === undefined) return;
    input.current?.focus();
    input.current?.setSelectionRange(from, to);
  }, [from, to, focusesProblem]);

  const complete = ({ text }: Completion): void => {
    const rest = value.slice(found.to);
    const space = rest.startsWith(' ') ? '' : ' ';
    const place = found.from + text.length + 1;
    moveTo.current = place;
    setCaret(place);
    setActive(undefined);
    setOpen(true);
    onChange(`${value.slice(0, found.from)}${text}${space}${rest}`);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const count = items.length;
    const isPlain = !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey;
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      setOpen(true);
      setActive(0);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && isPlain) {
      event.preventDefault();
      if (count === 0) {
        setOpen(true);
        setActive(0);
        return;
      }
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(active === undefined ? (step === 1 ? 0 : count - 1) : (active + step + count) % count);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isPlain && chosen) {
      event.preventDefault();
      complete(chosen);
    } else if (event.key === 'Escape' && count > 0) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setActive(undefined);
    }
  };
  const follow = (): void => {
    setCaret(input.current?.selectionStart ?? value.length);
    if (marks.current && input.current) marks.current.scrollLeft = input.current.scrollLeft;
  };

  return (
    <Field {...field} error={error?.message}>
      {(wiring) => (
        <div className="relative">
          <div
            className={`relative ${isTall ? 'h-8' : 'h-7'} rounded-control border bg-raised font-mono text-body ${error ? 'border-danger' : 'border-control-line hover:border-ink-2'}`}
          >
            {mark && (
              <div
                ref={marks}
                aria-hidden
                className={`pointer-events-none absolute inset-0 overflow-hidden px-2 whitespace-pre text-transparent ${lineHeight}`}
              >
                {value.slice(0, mark.from)}
                <span className="rounded-tag bg-danger-tint underline decoration-danger decoration-wavy underline-offset-4">
                  {mark.to > mark.from ? value.slice(mark.from, mark.to) : ' '}
                </span>
              </div>
            )}
            <input
              {...wiring}
              ref={input}
              type="text"
              name={name}
              readOnly={field.disabledReason !== undefined}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={items.length > 0}
              aria-controls={items.length > 0 ? listId : undefined}
              aria-activedescendant={chosen === undefined ? undefined : `${listId}-${String(active)}`}
              value={value}
              placeholder={placeholder}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              autoFocus={autoFocus}
              onChange={(event) => {
                setCaret(event.target.selectionStart ?? event.target.value.length);
                setOpen(true);
                setActive(undefined);
                onChange(event.target.value);
              }}
              onSelect={follow}
              onScroll={follow}
              onKeyDown={onKeyDown}
              onBlur={() => {
                setOpen(false);
                setActive(undefined);
                onBlur?.();
              }}
              className={`absolute inset-0 w-full rounded-control bg-transparent px-2 text-ink-1 placeholder:text-ink-3 ${lineHeight}`}
            />
          </div>
          {items.length > 0 && (
            <ul
              id={listId}
              role="listbox"
              aria-label="Suggestions"
              className="absolute start-0 top-full z-20 mt-1 max-h-72 w-max max-w-full min-w-72 overflow-auto rounded-overlay bg-raised p-1 shadow-overlay"
            >
              {items.map((item, index) => (
                <li
                  key={item.text}
                  id={`${listId}-${String(index)}`}
                  role="option"
                  aria-selected={index === active}
                  className={`flex min-h-7 cursor-default items-center justify-between gap-6 rounded-control px-2 text-body ${index === active ? 'bg-hover' : 'hover:bg-hover'}`}
                  // Keeps the focus in the field.
                  onMouseDown={(event) => {
                    event.preventDefault();
                    complete(item);
                  }}
                >
                  <span className="font-mono text-ink-1">{item.text}</span>
                  <span className="text-meta text-ink-2">{item.detail}</span>
                </li>
              ))}
            </ul>
          )}
          <span role="status" className="sr-only">
            {items.length > 0
              ? `${String(items.length)} ${items.length === 1 ? 'suggestion' : 'suggestions'}`
              : ''}
          </span>
        </div>
      )}
    </Field>
  );
}
