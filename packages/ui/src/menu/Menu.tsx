import { clsx } from 'clsx';
import { Check, ChevronRight } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  type PopoverProps,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Kbd } from '../kbd/Kbd.tsx';

export interface MenuAction {
  id: string;
  label: string;
  /** A second line. */
  detail?: string;
  icon?: IconType;
  shortcut?: string;
  /** A destructive or irreversible action. */
  isDanger?: boolean;
  /** Why it can't be used now: shown in the item, which stays in the list. */
  disabledReason?: string | undefined;
  /** Shows a check mark: the current choice. */
  isChosen?: boolean;
  /** A link rather than an action; navigates through react-aria's RouterProvider. */
  href?: string;
  onAction?: () => void;
  submenu?: readonly MenuEntry[];
}

export interface MenuGroup {
  /** A heading, or only the accessible name if `isLabelHidden`. */
  label: string;
  isLabelHidden?: boolean;
  items: readonly MenuAction[];
}

/** An item, a group of items, or a separator. */
export type MenuEntry = MenuAction | MenuGroup | 'separator';

const listClass = 'min-w-44 p-1 outline-none';
const popoverClass = 'overlay-motion max-w-80 overflow-auto rounded-overlay bg-raised shadow-overlay';

function Item({ action, hasIcons }: { action: MenuAction; hasIcons: boolean }) {
  const isBlocked = action.disabledReason !== undefined;
  const detail = action.disabledReason ?? action.detail;
  const item = (
    <MenuItem
      id={action.id}
      textValue={action.label}
      href={isBlocked ? undefined : action.href}
      isDisabled={isBlocked}
      onAction={action.onAction}
      className={clsx(
        'flex min-h-7 cursor-default items-start gap-2 rounded-control px-2 py-1 text-body no-underline outline-none data-disabled:text-ink-3 data-focused:bg-hover data-open:bg-hover data-pressed:bg-pressed forced-colors:data-focused:outline-2',
        action.isDanger === true ? 'text-danger' : 'text-ink-1',
      )}
    >
      {action.isChosen !== undefined && (
        <Icon icon={Check} className={clsx('mt-0.5 text-accent', !action.isChosen && 'invisible')} />
      )}
      {action.icon !== undefined ? (
        <Icon icon={action.icon} className="mt-0.5" />
      ) : (
        hasIcons && <span className="w-4 shrink-0" />
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span>
          {action.label}
          {action.isChosen === true && <span className="sr-only"> (chosen)</span>}
          {/* Read as two separate words, whatever the layout. */}
          {detail !== undefined && ' '}
        </span>
        {detail !== undefined && <span className="text-meta text-ink-3">{detail}</span>}
      </span>
      {action.shortcut !== undefined && (
        <span className="ms-4 flex h-5 items-center">
          <Kbd keys={action.shortcut} />
        </span>
      )}
      {action.submenu !== undefined && <Icon icon={ChevronRight} size={14} className="mt-0.75 text-ink-3" />}
    </MenuItem>
  );
  if (action.submenu === undefined) return item;
  return (
    <SubmenuTrigger>
      {item}
      <Popover offset={-2} className={popoverClass}>
        <AriaMenu aria-label={action.label} className={listClass}>
          {entries(action.submenu)}
        </AriaMenu>
      </Popover>
    </SubmenuTrigger>
  );
}

function entries(items: readonly MenuEntry[]): ReactNode {
  // Aligns labels whether or not their items have icons.
  const hasIcons = items.some((entry) =>
    entry === 'separator'
      ? false
      : 'items' in entry
        ? entry.items.some(({ icon }) => icon !== undefined)
        : entry.icon !== undefined,
  );
  return items.map((entry, index) => {
    if (entry === 'separator')
      return <Separator key={`line-${String(index)}`} className="mx-2 my-1 h-px bg-line" />;
    if ('items' in entry) {
      return (
        <MenuSection key={entry.label} aria-label={entry.label}>
          {entry.isLabelHidden !== true && (
            <Header className="px-2 pt-1.5 pb-0.5 font-mono text-caps text-ink-3 uppercase">
              {entry.label}
            </Header>
          )}
          {entry.items.map((action) => (
            <Item key={action.id} action={action} hasIcons={hasIcons} />
          ))}
        </MenuSection>
      );
    }
    return <Item key={entry.id} action={entry} hasIcons={hasIcons} />;
  });
}

export interface MenuProps {
  /** The Button or IconButton that opens the menu. */
  trigger: ReactNode;
  /** Accessible name of the menu. */
  label: string;
  items: readonly MenuEntry[];
  placement?: PopoverProps['placement'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A button with a menu of actions. */
export function Menu({ trigger, label, items, placement = 'bottom start', isOpen, onOpenChange }: MenuProps) {
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {trigger}
      <Popover placement={placement} offset={4} className={popoverClass}>
        <AriaMenu aria-label={label} className={listClass}>
          {entries(items)}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

export interface AnchoredMenuProps extends Pick<MenuProps, 'label' | 'items' | 'placement'> {
  /** The element to open beside, which gets the focus back. */
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** A menu shared by many elements, such as the rows of a grid. */
export function AnchoredMenu({
  anchor,
  label,
  items,
  placement = 'bottom end',
  isOpen,
  onOpenChange,
}: AnchoredMenuProps) {
  return (
    <Popover
      aria-label={label}
      trigger="MenuTrigger"
      triggerRef={anchor}
      placement={placement}
      offset={4}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className={popoverClass}
    >
      <AriaMenu
        aria-label={label}
        className={listClass}
        autoFocus="first"
        onClose={() => {
          onOpenChange(false);
        }}
      >
        {entries(items)}
      </AriaMenu>
    </Popover>
  );
}
