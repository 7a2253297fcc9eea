import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { buttonClass } from '../button/buttonClass.ts';
import { Icon } from '../icon/Icon.tsx';
import { Menu, type MenuEntry } from '../menu/Menu.tsx';

export interface RowMenuProps {
  label: string;
  /** Asked when the menu opens. */
  items: () => readonly MenuEntry[];
  /** Where the grid finds the button again. */
  address: Record<`data-${string}`, number>;
  isActive: boolean;
}

/** What can be done with a row. Its entries are made when it opens, not for every row that is drawn. */
export function RowMenu({ label, items, address, isActive }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu
      label={`Actions for ${label}`}
      placement="bottom end"
      items={isOpen ? items() : []}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <AriaButton
          {...address}
          aria-label={`Actions for ${label}`}
          excludeFromTabOrder={!isActive}
          className={`${buttonClass({ variant: 'ghost', size: 28, isIconOnly: true })} h-6! w-7! text-ink-2 outline-offset-0!`}
        >
          <Icon icon={Ellipsis} />
        </AriaButton>
      }
    />
  );
}
