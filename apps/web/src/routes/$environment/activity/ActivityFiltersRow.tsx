import { activityActions } from '@gatehouse/api-types/console/activity-actions';
import { Button } from '@gatehouse/ui/button';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { TextField } from '@gatehouse/ui/text-field';
import type { ActivitySearch } from './activity-search.ts';
import { actionWords } from './activity-words.ts';
import { fromLocalField, toLocalField } from './local-time.ts';

export interface ActivityFiltersRowProps {
  search: ActivitySearch;
  onChange: (next: Partial<Record<keyof ActivitySearch, unknown>>) => void;
  onClear: () => void;
}

const textOrNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** What is seldom narrowed to: action, resource, request, a span of time. */
export function ActivityFiltersRow({ search, onChange, onClear }: ActivityFiltersRowProps) {
  return (
    <div
      role="group"
      aria-label="More filters"
      className="grid grid-cols-1 items-end gap-3 border-b border-line bg-surface px-4 py-3 narrow:grid-cols-2 wide:grid-cols-[1.2fr_1fr_1fr_1fr_1fr_auto]"
    >
      <ComboBox
        size={28}
        label="Action"
        placeholder="Any"
        value={search.action ?? null}
        valueLabel={search.action === undefined ? '' : actionWords(search.action)}
        onChange={(action) => {
          onChange({ action: action ?? undefined });
        }}
        options={activityActions.map((action) => ({
          id: action,
          label: actionWords(action),
          detail: action,
        }))}
        emptyText="No action of that name."
      />
      <TextField
        size={28}
        isMono
        label="Id of a record"
        defaultValue={search.resource ?? ''}
        key={`resource ${search.resource ?? ''}`}
        onBlur={(event) => {
          onChange({ resource: textOrNone(event.target.value) });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange({ resource: textOrNone(event.currentTarget.value) });
        }}
      />
      <TextField
        size={28}
        isMono
        label="Request"
        defaultValue={search.request ?? ''}
        key={`request ${search.request ?? ''}`}
        onBlur={(event) => {
          onChange({ request: textOrNone(event.target.value) });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange({ request: textOrNone(event.currentTarget.value) });
        }}
      />
      <TextField
        size={28}
        type="datetime-local"
        label="From (this machine's clock)"
        value={toLocalField(search.from)}
        onChange={(text) => {
          onChange({ from: fromLocalField(text) });
        }}
      />
      <TextField
        size={28}
        type="datetime-local"
        label="To"
        value={toLocalField(search.to)}
        onChange={(text) => {
          onChange({ to: fromLocalField(text) });
        }}
      />
      <Button size={28} variant="ghost" onPress={onClear}>
        Clear all
      </Button>
    </div>
  );
}
