import { SearchField } from '@gatehouse/ui/search-field';
import { useSearchShortcut } from '#lib/shortcuts.ts';

/** The words that a list is searched for. */
export interface ListFind {
  /** What is searched: `Search name, id, address`. */
  readonly label: string;
  readonly text: string;
  readonly write: (text: string) => void;
  /** What the sheet of shortcuts calls it; `Search the targets` without it. */
  readonly action?: string;
  readonly isPending?: boolean;
  /** `max-w-80` without it. */
  readonly width?: string;
}

/** The search of a list, with `/` for going there. */
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
    <div className={`w-full min-w-0 ${width}`}>
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
