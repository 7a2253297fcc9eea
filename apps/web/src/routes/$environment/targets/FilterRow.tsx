import { targetTypes } from '@gatehouse/api-types/console/target-values';
import { Button } from '@gatehouse/ui/button';
import { Code } from '@gatehouse/ui/code';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import type { FilterFieldName } from '#components/filter/filter-completion.ts';
import { FilterInput } from '#components/filter/FilterInput.tsx';
import { longestFilter } from './targets-search.ts';

/** The fields of targets for filter expressions. */
const targetFilterFields: readonly FilterFieldName[] = [
  { selector: '"/item/name"', detail: 'Name' },
  { selector: '"/item/description"', detail: 'Description' },
  { selector: '"/item/id"', detail: 'ID' },
  {
    selector: '"/item/type"',
    detail: 'Type',
    values: targetTypes.map((text) => ({ text })),
  },
  { selector: '"/item/address"', detail: 'Address' },
  { selector: '"/item/scope_id"', detail: 'ID of the project' },
  { selector: '"/item/scope/name"', detail: 'Name of the project' },
  { selector: '"/item/session_max_seconds"', detail: 'Maximum session duration, in seconds' },
  {
    selector: '"/item/session_connection_limit"',
    detail: 'Maximum connections per session',
    values: [{ text: '-1', detail: 'no limit' }],
    isBare: true,
  },
  {
    selector: '"/item/attributes/default_port"',
    detail: 'Default port',
    values: [
      { text: '22', detail: 'SSH' },
      { text: '3389', detail: 'remote desktop' },
    ],
    isBare: true,
  },
  { selector: '"/item/egress_worker_filter"', detail: 'Egress worker filter' },
  { selector: '"/item/ingress_worker_filter"', detail: 'Ingress worker filter' },
];

export interface FilterRowProps {
  /** The list's current expression. */
  filter: string | undefined;
  /** The controller's error. */
  error: string | undefined;
  isPending: boolean;
  onApply: (filter: string | undefined) => void;
  /** Applies the expression, and opens *why not?*. */
  onWhy: (filter: string | undefined) => void;
  onClose: () => void;
}

/** A filter expression, which the controller applies to the list. */
export function FilterRow({ filter, error, isPending, onApply, onWhy, onClose }: FilterRowProps) {
  const [text, setText] = useState(filter ?? '');
  const written = text.trim();
  const isChanged = written !== (filter ?? '');
  // The address drops a longer one, and the list would show everything as if it matched.
  const isTooLong = written.length > longestFilter;
  const tooLong = isTooLong
    ? `A filter must be ${longestFilter.toLocaleString('en')} characters or fewer. This one has ${written.length.toLocaleString('en')}.`
    : undefined;
  return (
    <form
      role="search"
      aria-label="Filter expression"
      className="flex flex-wrap items-start gap-2 border-b border-line bg-surface px-4 py-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTooLong) onApply(written === '' ? undefined : written);
      }}
    >
      <div className="min-w-0 flex-1 basis-72">
        <FilterInput
          label="Filter expression"
          isLabelHidden
          size={28}
          focusesProblem
          value={text}
          onChange={setText}
          fields={targetFilterFields}
          placeholder={'"/item/name" contains "db" and "/item/type" == "ssh"'}
          autoFocus={filter === undefined}
          problem={tooLong ?? (isChanged ? undefined : error)}
        />
      </div>
      <Button type="submit" size={28} isPending={isPending}>
        Apply
      </Button>
      <Button
        size={28}
        variant="ghost"
        onPress={() => {
          setText('');
          onApply(undefined);
          onClose();
        }}
      >
        {filter === undefined ? 'Close' : 'Clear'}
      </Button>
      <div className="flex basis-full flex-wrap items-baseline gap-x-4">
        <p className="min-w-0 flex-1 basis-120 text-meta text-ink-2">
          Runs at the controller. Compare fields such as <Code>"/item/address"</Code> with <Code>==</Code>,{' '}
          <Code>!=</Code>, <Code>contains</Code>, <Code>matches</Code>, <Code>is empty</Code>; join with{' '}
          <Code>and</Code>, <Code>or</Code>, <Code>not</Code>. Press the down arrow for suggestions.
        </p>
        <Button
          size={28}
          variant="ghost"
          icon={CircleHelp}
          shortcut="w"
          onPress={() => {
            if (!isTooLong) onWhy(written === '' ? undefined : written);
          }}
        >
          Why is a target missing?
        </Button>
      </div>
    </form>
  );
}
