import { kindOf, stringOf } from '@gatehouse/api-types/console/json-text';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { TextArea } from '@gatehouse/ui/text-area';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { useState, type ReactNode } from 'react';
import type { MapEntryEditorProps } from '#components/form/record-form.ts';
import { problemOfValue, isUnseen } from '../-fields/secret-values.ts';

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
] as const;

/** The value of one field, as text or JSON. */
export function EntryValue({
  label,
  value = '""',
  onChange,
  autoFocus = false,
  beside,
}: MapEntryEditorProps & { autoFocus?: boolean; beside?: ReactNode }) {
  const text = isUnseen(value) ? '' : textOf(value);
  const [isJson, setJson] = useState(text === undefined);
  const asJson = isJson || text === undefined;
  const problem = asJson ? problemOfValue(value) : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <TextArea
        label={`Value of ${label}`}
        isLabelHidden
        isMono
        rows={1}
        maxRows={18}
        spellCheck={false}
        autoFocus={autoFocus}
        value={asJson ? value : text}
        onChange={(next) => {
          onChange(asJson ? next : JSON.stringify(next));
        }}
        error={problem}
      />
      {!asJson && <EndsNote text={text} />}
      <span className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label={`Type of ${label}`}
          segments={kinds}
          value={asJson ? 'json' : 'text'}
          onChange={(kind) => {
            setJson(kind === 'json');
            // Switching to text converts the JSON as written.
            if (kind === 'text' && text === undefined) onChange(JSON.stringify(stringValue(value) ?? value));
          }}
        />
        {beside}
      </span>
    </div>
  );
}

/** A string value's text; undefined for other values, and for text with carriage returns, which a text area changes. */
function textOf(value: string): string | undefined {
  const text = stringValue(value);
  return text?.includes('\r') === true ? undefined : text;
}

function stringValue(value: string): string | undefined {
  return problemOfValue(value) === undefined && kindOf(value) === 'string' ? stringOf(value) : undefined;
}
