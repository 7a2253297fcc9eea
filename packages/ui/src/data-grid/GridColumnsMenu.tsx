import { Columns3, Pin, PinOff, Rows2, Rows3, Rows4 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../button/Button.tsx';
import { Checkbox } from '../checkbox/Checkbox.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Popover } from '../popover/Popover.tsx';
import { SegmentedControl } from '../segmented-control/SegmentedControl.tsx';
import { defaultGridView, type GridColumn, type GridDensity, type GridView } from './gridTypes.ts';

export interface GridColumnsMenuProps {
  columns: readonly Pick<GridColumn<never>, 'id' | 'header' | 'isRowHeader'>[];
  view: GridView;
  onViewChange: (view: GridView) => void;
}

const densities: readonly {
  value: `${GridDensity}`;
  density: GridDensity;
  label: string;
  icon: typeof Rows2;
}[] = [
  { value: '28', density: 28, label: 'Compact', icon: Rows4 },
  { value: '32', density: 32, label: 'Regular', icon: Rows3 },
  { value: '40', density: 40, label: 'Roomy', icon: Rows2 },
];

function without(ids: readonly string[], id: string): string[] {
  return ids.filter((other) => other !== id);
}

/** Menu for visible columns, pinned columns and row height, which starts open. */
export function GridColumnsMenu({ columns, view, onViewChange }: GridColumnsMenuProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label="Columns"
      placement="bottom end"
      trigger={
        <Button size={28} variant="ghost" icon={Columns3}>
          Columns
        </Button>
      }
    >
      <div className="flex w-72 flex-col gap-3">
        <SegmentedControl
          label="Row height"
          segments={densities}
          value={`${view.density}`}
          onChange={(chosen) => {
            const found = densities.find(({ value }) => value === chosen);
            if (found !== undefined) onViewChange({ ...view, density: found.density });
          }}
        />
        <div role="group" aria-label="Columns" className="flex flex-col">
          {columns.map((column) => {
            const isShown = !view.hidden.includes(column.id);
            const isPinned = view.pinned.start.includes(column.id);
            return (
              <div key={column.id} className="flex h-8 items-center justify-between gap-2">
                <Checkbox
                  isSelected={isShown}
                  isDisabled={column.isRowHeader === true}
                  onChange={(isSelected) => {
                    onViewChange({
                      ...view,
                      hidden: isSelected ? without(view.hidden, column.id) : [...view.hidden, column.id],
                    });
                  }}
                >
                  {column.header}
                </Checkbox>
                {isShown && (
                  <IconButton
                    icon={isPinned ? PinOff : Pin}
                    label={isPinned ? `Unpin ${column.header}` : `Pin ${column.header} to the start`}
                    aria-pressed={isPinned}
                    onPress={() => {
                      onViewChange({
                        ...view,
                        pinned: {
                          start: isPinned
                            ? without(view.pinned.start, column.id)
                            : [...view.pinned.start, column.id],
                          end: without(view.pinned.end, column.id),
                        },
                      });
                    }}
                  />
                )}
              </div>
            );
          })}
        </div>
        <Button
          size={28}
          isFullWidth
          onPress={() => {
            onViewChange(defaultGridView);
          }}
        >
          Reset columns
        </Button>
      </div>
    </Popover>
  );
}
