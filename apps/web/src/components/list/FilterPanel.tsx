import { Tag } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Popover } from '@gatehouse/ui/popover';
import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';

/** A list's filters besides its search: a panel to choose from, and the chosen ones, each removable. */
export function FilterPanel<Id extends string>({
  chosen,
  onRemove,
  children,
}: {
  chosen: readonly { readonly id: Id; readonly words: string }[];
  onRemove: (id: Id) => void;
  /** The fields of the panel. */
  children: ReactNode;
}) {
  return (
    <>
      <Popover
        label="Filters"
        trigger={
          <Button size={28} icon={ListFilter}>
            {chosen.length === 0 ? 'Filters' : `Filters (${chosen.length})`}
          </Button>
        }
      >
        <div className="flex w-64 max-w-full flex-col gap-4">{children}</div>
      </Popover>
      <span className="flex min-w-0 items-center gap-1 overflow-hidden max-narrow:hidden">
        {chosen.map(({ id, words }) => (
          <Tag
            key={id}
            removeLabel={`Remove filter ${id}`}
            onRemove={() => {
              onRemove(id);
            }}
          >
            {words}
          </Tag>
        ))}
      </span>
    </>
  );
}
