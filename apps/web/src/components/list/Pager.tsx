import { IconButton } from '@gatehouse/ui/icon-button';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useShortcut } from '#lib/shortcuts.ts';

export interface PagerProps {
  /** From 1. */
  page: number;
  /** Whether another page follows. The total is unknown. */
  hasMore: boolean;
  onPage: (page: number) => void;
  /** Heading of the shortcuts: `Boxes`. */
  group: string;
}

/** The current page of a list, with buttons for the previous and the next. */
export function Pager({ page, hasMore, onPage, group }: PagerProps) {
  useShortcut(
    page > 1
      ? {
          keys: '[',
          label: 'Previous page',
          group,
          run: () => {
            onPage(page - 1);
          },
        }
      : undefined,
  );
  useShortcut(
    hasMore
      ? {
          keys: ']',
          label: 'Next page',
          group,
          run: () => {
            onPage(page + 1);
          },
        }
      : undefined,
  );
  if (page === 1 && !hasMore) return null;
  return (
    <nav aria-label="Pages" className="flex items-center gap-1">
      <IconButton
        icon={ChevronLeft}
        label="Previous page"
        shortcut="["
        disabledReason={page > 1 ? undefined : 'This is the first page.'}
        onPress={() => {
          onPage(page - 1);
        }}
      />
      <span className="min-w-14 text-center text-body text-ink-1">Page {page.toLocaleString('en')}</span>
      <IconButton
        icon={ChevronRight}
        label="Next page"
        shortcut="]"
        disabledReason={hasMore ? undefined : 'This is the last page.'}
        onPress={() => {
          onPage(page + 1);
        }}
      />
    </nav>
  );
}
