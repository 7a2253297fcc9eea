import { activityActions } from '@gatehouse/api-types/console/addresses/actions';
import { Button } from '@gatehouse/ui/button';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Select } from '@gatehouse/ui/select';
import { TextField } from '@gatehouse/ui/text-field';
import { actionWords, outcomeWords, refusals } from '#components/activity/activity-words.ts';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import { serviceLabels } from '#lib/error-words.ts';
import {
  activityOutcomes,
  activityRefusals,
  activityServices,
  type ActivitySearch,
} from './activity-search.ts';
import { fromLocalField, toLocalField } from './local-time.ts';

export interface ActivityFiltersRowProps {
  search: ActivitySearch;
  onChange: ChangeSearch<ActivitySearch>;
  onClear: () => void;
  /** The name of the person whose ID is searched for, if it is known. */
  personName: string | undefined;
}

const any = 'any';
const textOrNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** The start of a day of this computer's time zone. @param days from today, such as -1 for yesterday */
function dayStart(days: number): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day.toISOString();
}

const presets = [
  { id: 'today', label: 'Today', from: () => dayStart(0), to: undefined },
  { id: 'yesterday', label: 'Yesterday', from: () => dayStart(-1), to: () => dayStart(0) },
  { id: 'week', label: '7 days', from: () => dayStart(-6), to: undefined },
];

/** The preset that the times are of; `other` if none. */
function presetOf({ from, to }: ActivitySearch): string {
  if (from === undefined && to === undefined) return any;
  return presets.find((preset) => preset.from() === from && preset.to?.() === to)?.id ?? 'other';
}

/** The trail's filters. */
export function ActivityFiltersRow({ search, onChange, onClear, personName }: ActivityFiltersRowProps) {
  const person = personName ?? search.person ?? '';
  const find = (text: string): void => {
    if (text !== person) onChange({ person: textOrNone(text) });
  };
  return (
    <div
      role="group"
      aria-label="Filters"
      className="grid grid-cols-1 items-end gap-3 border-b border-line bg-surface px-4 py-3 narrow:grid-cols-2 wide:grid-cols-4"
    >
      <Select
        size={28}
        label="Outcome"
        value={search.problem ?? search.outcome ?? any}
        onChange={(chosen) => {
          const problem = activityRefusals.find((refusal) => refusal === chosen);
          onChange({
            problem,
            outcome:
              problem === undefined ? activityOutcomes.find((outcome) => outcome === chosen) : 'refused',
          });
        }}
        options={[
          { id: any, label: 'Any' },
          ...activityOutcomes.flatMap((outcome) => [
            { id: outcome, label: outcomeWords[outcome].word },
            ...(outcome === 'refused'
              ? activityRefusals.map((problem) => ({
                  id: problem,
                  label: `Refused: ${refusals[problem].word.toLowerCase()}`,
                }))
              : []),
          ]),
        ]}
      />
      <Select
        size={28}
        label="Service"
        value={search.service ?? any}
        onChange={(chosen) => {
          onChange({ service: activityServices.find((service) => service === chosen) });
        }}
        options={[
          { id: any, label: 'Any' },
          ...activityServices.map((service) => ({
            id: service,
            label: service === 'console' ? 'Console' : serviceLabels[service],
          })),
        ]}
      />
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
        emptyText="No action has this name."
      />
      <TextField
        size={28}
        label="Person"
        defaultValue={person}
        key={`person ${person}`}
        onBlur={(event) => {
          find(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find(event.currentTarget.value);
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
        label="From (this computer's time zone)"
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
      <div className="col-span-full flex flex-wrap items-center gap-3">
        <SegmentedControl
          label="Time"
          value={presetOf(search)}
          onChange={(chosen) => {
            const preset = presets.find(({ id }) => id === chosen);
            onChange({ from: preset?.from(), to: preset?.to?.() });
          }}
          segments={[
            { value: any, label: 'Any time' },
            ...presets.map(({ id, label }) => ({ value: id, label })),
          ]}
        />
        <Button size={28} variant="ghost" onPress={onClear}>
          Clear all
        </Button>
      </div>
    </div>
  );
}
