import { Button } from '@gatehouse/ui/button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { ListFilter } from 'lucide-react';

/** Shows and hides the row of the filter expression. */
export function FilterToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <>
      <span className="hidden narrow:flex">
        <Button
          size={28}
          icon={ListFilter}
          variant={isOpen ? 'secondary' : 'ghost'}
          aria-expanded={isOpen}
          onPress={onToggle}
        >
          Filter expression
        </Button>
      </span>
      <span className="flex narrow:hidden">
        <IconButton icon={ListFilter} label="Filter expression" aria-expanded={isOpen} onPress={onToggle} />
      </span>
    </>
  );
}
