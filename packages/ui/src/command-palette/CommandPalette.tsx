import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Kbd } from '../kbd/Kbd.tsx';
import { Spinner } from '../spinner/Spinner.tsx';

export interface PaletteItem {
  /** Unique in the palette. */
  id: string;
  label: string;
  /** Distinguishes items with the same label: an ID, an address, a path. */
  detail?: string;
  icon?: IconType;
  shortcut?: string;
  /** Why the item can't be used, shown instead of the detail. */
  refusal?: string;
  /** Whether the palette stays open after the item's action. */
  keepsOpen?: boolean;
  onAction: () => void;
}

export interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

export interface CommandPaletteProps {
  onClose: () => void;
  text: string;
  onTextChange: (text: string) => void;
  /** The current matches, in the order of the groups. */
  groups: readonly PaletteGroup[];
  /** A search is in progress. */
  isPending?: boolean;
  placeholder: string;
  /** Shown when nothing matches. */
  emptyText: string;
  /** A sentence below the results. */
  note?: string | undefined;
}

/**
 * All actions and places, found by typing. The field keeps the focus, and the arrow keys select. With text, Enter
 * always runs something: if the selected item disappeared because the matches changed, the first one is selected.
 */
export function CommandPalette({
  onClose,
  text,
  onTextChange,
  groups,
  isPending = false,
  placeholder,
  emptyText,
  note,
}: CommandPaletteProps) {
  const menu = useRef<HTMLDivElement>(null);
  const first = text.trim() === '' ? undefined : groups.find(({ items }) => items.length > 0)?.items[0];
  const act = (item: PaletteItem): void => {
    if (item.keepsOpen !== true) onClose();
    item.onAction();
  };
  return (
    <ModalOverlay
      isOpen
      onOpenChange={onClose}
      isDismissable
      className="overlay-motion fixed inset-0 z-40 flex items-start justify-center overflow-hidden bg-scrim p-4 pt-[min(12vh,96px)]"
    >
      <Modal className="flex max-h-full w-full max-w-150 flex-col">
        <Dialog
          aria-label="Command palette"
          className="flex max-h-full min-h-0 flex-col overflow-hidden rounded-overlay bg-raised shadow-overlay outline-none"
        >
          <Autocomplete inputValue={text} onInputChange={onTextChange}>
            <SearchField
              aria-label={placeholder}
              autoFocus
              className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4"
              onKeyDown={(event) => {
                // If empty, Esc closes the palette; with text, the first Esc clears it.
                if (event.key === 'Escape' && text === '') onClose();
                const isChosen = menu.current?.querySelector('[role="menuitem"][data-focused]');
                if (
                  event.key === 'Enter' &&
                  !event.nativeEvent.isComposing &&
                  first !== undefined &&
                  isChosen === null
                ) {
                  act(first);
                }
                event.continuePropagation();
              }}
            >
              <span className="flex w-4 text-ink-3">
                {isPending ? <Spinner label="Searching" /> : <Icon icon={Search} />}
              </span>
              <Input
                placeholder={placeholder}
                className="min-w-0 flex-1 bg-transparent text-input text-ink-1 outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
              />
              <Kbd keys="Esc" />
            </SearchField>
            {/* The scrolling list must be reachable with Tab, although the field's arrow keys also scroll it. */}
            <div
              role="region"
              aria-label="Results"
              tabIndex={0}
              className="min-h-0 overflow-y-auto -outline-offset-2!"
            >
              <Menu
                ref={menu}
                aria-label="Commands"
                className="group/menu p-1 outline-none"
                onClose={onClose}
                renderEmptyState={() => (
                  <p className="px-3 py-6 text-center text-body text-ink-2">
                    {isPending ? 'Searching' : emptyText}
                  </p>
                )}
              >
                {groups.map((group) => (
                  <MenuSection key={group.title} aria-label={group.title} className="pb-1">
                    <Header className="px-3 pt-2 pb-1 font-mono text-caps text-ink-3 uppercase">
                      {group.title}
                    </Header>
                    {group.items.map((item) => (
                      <MenuItem
                        key={item.id}
                        id={item.id}
                        textValue={item.label}
                        shouldCloseOnSelect={item.keepsOpen !== true}
                        onAction={() => {
                          act(item);
                        }}
                        className={clsx(
                          'flex min-h-8 cursor-default items-center gap-2 rounded-control px-3 text-body text-ink-1 outline-none data-focused:bg-selected data-focused:shadow-[inset_2px_0_0_var(--accent)] data-pressed:bg-pressed forced-colors:data-focused:outline-2',
                          item === first &&
                            'group-[:not(:has([data-focused]))]/menu:bg-selected group-[:not(:has([data-focused]))]/menu:shadow-[inset_2px_0_0_var(--accent)]',
                        )}
                      >
                        <span className="flex w-4 shrink-0 text-ink-2">
                          {item.icon !== undefined && <Icon icon={item.icon} />}
                        </span>
                        <span
                          className={clsx('min-w-0 truncate', item.refusal !== undefined && 'text-ink-2')}
                        >
                          {item.label}
                        </span>
                        {item.refusal === undefined ? (
                          item.detail !== undefined && (
                            <span className="min-w-0 flex-1 truncate font-mono text-meta text-ink-2">
                              {item.detail}
                            </span>
                          )
                        ) : (
                          <span className="min-w-0 flex-1 truncate text-meta text-ink-2">{item.refusal}</span>
                        )}
                        {item.shortcut !== undefined && (
                          <span className="ms-auto flex shrink-0 ps-2">
                            <Kbd keys={item.shortcut} />
                          </span>
                        )}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
            {note !== undefined && (
              <p role="status" className="border-t border-line px-4 py-2 text-meta text-ink-2">
                {note}
              </p>
            )}
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
