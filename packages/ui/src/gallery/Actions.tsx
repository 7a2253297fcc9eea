import { Copy, LayoutList, Network, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../button/Button.tsx';
import { CopyButton } from '../copy-button/CopyButton.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Kbd } from '../kbd/Kbd.tsx';
import { ExternalLink } from '../link/ExternalLink.tsx';
import { Link } from '../link/Link.tsx';
import { LinkButton } from '../link/LinkButton.tsx';
import { MenuButton } from '../menu/MenuButton.tsx';
import { Popover } from '../popover/Popover.tsx';
import { SegmentedControl } from '../segmented-control/SegmentedControl.tsx';
import { Toolbar } from '../toolbar/Toolbar.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';
import { Family, Specimen } from './Specimen.tsx';

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;
const reason = 'Your role is read-only. Ask an administrator for another role.';

export function Actions() {
  const [view, setView] = useState<'list' | 'tree'>('list');
  return (
    <Family title="Actions">
      {([32, 28] as const).map((size) => (
        <Specimen key={size} name={`Button ${String(size)}`} isRow>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} size={size}>
              {variant === 'danger' ? 'Delete target' : variant === 'primary' ? 'Create target' : 'Cancel'}
            </Button>
          ))}
          <Button size={size} icon={RefreshCw}>
            Reload
          </Button>
          <Button size={size} variant="primary" icon={Plus} isPending>
            Creating
          </Button>
          <Button size={size} disabledReason={reason}>
            Edit
          </Button>
          <Button size={size} variant="danger" disabledReason={reason}>
            Delete
          </Button>
        </Specimen>
      ))}
      <Specimen name="Icon button" isRow>
        <IconButton icon={Pencil} label="Edit" shortcut="e" />
        <IconButton icon={Trash2} label="Delete" disabledReason={reason} />
        <IconButton icon={RefreshCw} label="Reload" isPending />
        <IconButton icon={Copy} label="Copy" variant="secondary" size={32} />
        <CopyButton text="ttcp_1234567890" label="Copy ID" />
        <CopyButton text="ttcp_1234567890" label="Copy ID" hasWords />
      </Specimen>
      <Specimen name="Links" isRow>
        <Link href="#targets">All targets</Link>
        <Link href="#db" tone="quiet">
          db-primary
        </Link>
        <ExternalLink href="https://example.com/docs">Filter syntax</ExternalLink>
        <LinkButton href="#new" variant="primary" icon={Plus}>
          New target
        </LinkButton>
        <LinkButton href="#edit" size={28}>
          Edit
        </LinkButton>
      </Specimen>
      <Specimen name="Menu, popover, tooltip" isRow>
        <MenuButton
          label="Actions"
          items={[
            { id: 'edit', label: 'Edit', icon: Pencil, shortcut: 'e' },
            { id: 'clone', label: 'Clone', icon: Copy, detail: 'Opens a new target with these values' },
            'separator',
            { id: 'delete', label: 'Delete', icon: Trash2, isDanger: true },
            { id: 'move', label: 'Move to project', disabledReason: 'Only administrators can move targets.' },
          ]}
        />
        <MenuButton
          label="Theme"
          variant="ghost"
          items={[
            {
              label: 'Theme',
              items: [
                { id: 'light', label: 'Light', isChosen: true },
                { id: 'dark', label: 'Dark', isChosen: false },
                { id: 'system', label: 'System', isChosen: false },
              ],
            },
          ]}
        />
        <MenuButton label="More" isOverflow items={[{ id: 'x', label: 'Export' }]} />
        <MenuButton label="Bulk edit" disabledReason="Select at least one target." items={[]} />
        <Popover label="Filter" trigger={<Button>Filter</Button>}>
          <p className="w-56">Esc or a click outside closes it.</p>
        </Popover>
        <Tooltip text="Opens the palette" shortcut="Mod+K">
          <Button variant="ghost">Hover or focus</Button>
        </Tooltip>
      </Specimen>
      <Specimen name="Segmented control, keys" isRow>
        <SegmentedControl
          label="View"
          value={view}
          onChange={setView}
          segments={[
            { value: 'list', label: 'List', icon: LayoutList },
            { value: 'tree', label: 'Tree', icon: Network },
          ]}
        />
        <SegmentedControl
          label="View, icons alone"
          value={view}
          onChange={setView}
          segments={[
            { value: 'list', label: 'List', icon: LayoutList, isIconOnly: true },
            { value: 'tree', label: 'Tree', icon: Network, isIconOnly: true },
          ]}
        />
        <Kbd keys="Mod+K" />
        <Kbd keys="Shift+Space" />
        <Kbd keys="g t" />
        <Kbd keys="ArrowUp" />
        <Kbd keys="Enter" />
      </Specimen>
      <Specimen name="Toolbar">
        <Toolbar label="Example" end={<Button size={28}>Columns</Button>}>
          <Button size={28} icon={Plus} variant="primary">
            New
          </Button>
          <IconButton icon={RefreshCw} label="Reload" />
        </Toolbar>
      </Specimen>
    </Family>
  );
}
