import type { ReactNode } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface TabItem {
  id: string;
  label: string;
  icon?: IconType;
  /** A small number after the label. */
  count?: number;
  /** The tab's own address; navigates through react-aria's RouterProvider. */
  href?: string;
  content?: ReactNode;
}

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  items: readonly TabItem[];
  selected: string;
  onSelect?: (id: string) => void;
  /** The panel of the selected tab if items have no content of their own: a router's outlet. */
  children?: ReactNode;
}

/** Several views of one thing, shown one at a time. */
export function Tabs({ label, items, selected, onSelect, children }: TabsProps) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => {
        onSelect?.(String(key));
      }}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <TabList
        aria-label={label}
        className="flex shrink-0 gap-4 overflow-x-auto border-b border-line px-0.5 pt-0.5"
      >
        {items.map((item) => (
          <AriaTab
            key={item.id}
            id={item.id}
            href={item.href}
            className="relative flex h-8 cursor-default items-center gap-1.5 text-body font-medium whitespace-nowrap text-ink-2 -outline-offset-2! transition-colors after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 data-hovered:text-ink-1 data-selected:text-ink-1 data-selected:after:bg-accent forced-colors:data-selected:after:bg-[Highlight]"
          >
            {item.icon !== undefined && <Icon icon={item.icon} />}
            {item.label}
            {item.count !== undefined && (
              <span className="rounded-tag bg-sunken px-1 text-meta font-normal text-ink-2">
                {item.count.toLocaleString()}
              </span>
            )}
          </AriaTab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className="min-h-0 min-w-0 flex-1 pt-4">
          {item.content ?? children}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
