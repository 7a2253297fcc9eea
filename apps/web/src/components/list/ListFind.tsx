import { SearchField } from '@gatehouse/ui/search-field';
import { useSearchShortcut } from '#lib/shortcuts.ts';

/** The search of a list. */
export interface ListFind {
  /** Label of the field: `Search name, id, address`. */
  readonly label: string;
  readonly text: string;
  readonly write: (text: string) => void;
  /** Its label in the sheet of shortcuts; `Search targets` by default. */
  readonly action?: string;
  readonly isPending?: boolean;
  /** `max-w-80` by default. */
  readonly width?: string;
}

/** The search field of a list, with `/` to focus it. */
export function FindField({
  find: { label, text, write, isPending = false, width = 'max-w-80' },
  action,
  group,
}: {
  find: ListFind;
  action: string;
  group: string;
}) {
  const input = useSearchShortcut(action, group);
  return (
    <div
      className={`w-full min-w-0 ${width}`}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || event.altKey || !focusFirstRow()) return;
        event.preventDefault();
      }}
    >
      <SearchField
        label={label}
        shortcut="/"
        value={text}
        inputRef={input}
        isPending={isPending}
        onChange={write}
      />
    </div>
  );
}

/** Moves focus from the search to the first row of the list. @returns whether it has rows */
function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>(
    '[role="grid"] :is([role="rowheader"][data-grid-row="0"], [role="rowheader"] [data-grid-row="0"])',
  );
  row?.focus();
  return row !== null;
}
