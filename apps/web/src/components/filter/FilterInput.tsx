import { Field } from '@gatehouse/ui/field';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { completionsAt, type Completion, type FilterFieldName } from './filter-completion.ts';
import { filterError } from './filter-error.ts';

export interface FilterInputProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  fields: readonly FilterFieldName[];
  placeholder: string;
  /** What the controller has against the expression as it is written now. */
  problem: string | undefined;
  autoFocus?: boolean;
}

const mostShown = 8;

/**
 * A filter expression: what may come next is offered as one writes (arrows, Enter or Tab; Ctrl+Space asks for it), and
 * what the controller refused is marked where it stopped reading.
 */
export function FilterInput({
  label,
  value,
  onChange,
  fields,
  placeholder,
  problem,
  autoFocus = false,
}: FilterInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const marks = useRef<HTMLDivElement>(null);
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

  // The caret goes behind what was completed, and to where a refusal points.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    input.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  });
  const from = mark?.from;
  const to = mark?.to;
  useLayoutEffect(() => {
    if (from === undefined || to === undefined) return;
    input.current?.focus();
    input.current?.setSelectionRange(from, to);
  }, [from, to]);

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
    <Field label={label} isLabelHidden error={error?.message}>
      {(wiring) => (
        <div className="relative">
          <div
            className={`relative h-7 rounded-control border bg-raised font-mono text-body ${error ? 'border-danger' : 'border-control-line hover:border-ink-2'}`}
          >
            {mark && (
              <div
                ref={marks}
                aria-hidden
                className="pointer-events-none absolute inset-0 overflow-hidden px-2 leading-6.5 whitespace-pre text-transparent"
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
              }}
              className="absolute inset-0 w-full rounded-control bg-transparent px-2 leading-6.5 text-ink-1 placeholder:text-ink-3"
            />
          </div>
          {items.length > 0 && (
            <ul
              id={listId}
              role="listbox"
              aria-label="What may come next"
              className="absolute start-0 top-8 z-20 max-h-72 w-max max-w-full min-w-72 overflow-auto rounded-overlay bg-raised p-1 shadow-overlay"
            >
              {items.map((item, index) => (
                <li
                  key={item.text}
                  id={`${listId}-${String(index)}`}
                  role="option"
                  aria-selected={index === active}
                  className={`flex min-h-7 cursor-default items-center justify-between gap-6 rounded-control px-2 text-body ${index === active ? 'bg-hover' : 'hover:bg-hover'}`}
                  // The field keeps the focus.
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
