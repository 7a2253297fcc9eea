import { Checkbox } from '@gatehouse/ui/checkbox';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import { statusWords } from '#components/sessions/session-words.ts';
import { sessionStatuses, type SessionsSearch } from './sessions-search.ts';

export interface SessionFiltersProps {
  search: SessionsSearch;
  onChange: ChangeSearch<SessionsSearch>;
}

const anyStatus = 'any';

/** Filters by one state. */
export function StateFilter({ search, onChange }: SessionFiltersProps) {
  return (
    <span className="hidden narrow:flex">
      <SegmentedControl
        label="State"
        value={search.status ?? anyStatus}
        onChange={(value) => {
          onChange({
            status: sessionStatuses.find((status) => status === value),
            ...(value === 'terminated' && { ended: true }),
          });
        }}
        segments={[
          { value: anyStatus, label: 'Any state' },
          ...sessionStatuses.map((status) => ({ value: status, label: statusWords(status).word })),
        ]}
      />
    </span>
  );
}

/** Toggles for only your own sessions, and for ended ones. */
export function SessionSwitches({ search, onChange }: SessionFiltersProps) {
  return (
    <span className="flex items-center gap-4">
      <Checkbox
        isSelected={search.mine === true}
        onChange={(isOn) => {
          onChange({ mine: isOn ? true : undefined });
        }}
      >
        Mine
      </Checkbox>
      <Checkbox
        isSelected={search.ended === true}
        onChange={(isOn) => {
          onChange({
            ended: isOn ? true : undefined,
            ...(!isOn && search.status === 'terminated' && { status: undefined }),
          });
        }}
      >
        Include ended
      </Checkbox>
    </span>
  );
}
