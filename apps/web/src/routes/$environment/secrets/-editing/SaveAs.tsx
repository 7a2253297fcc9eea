import { Card } from '@gatehouse/ui/card';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import type { WriteMode } from '#queries/secrets.ts';

/** How a new version is written, and why one of the ways cannot be taken. */
export function SaveAs({
  mode,
  reasons,
  onChange,
}: {
  mode: WriteMode;
  reasons: Readonly<Record<WriteMode, string | undefined>>;
  onChange: (mode: WriteMode) => void;
}) {
  return (
    <Card title="Save mode">
      <RadioGroup
        label="Save mode"
        isLabelHidden
        value={mode}
        onChange={(value) => {
          onChange(value === 'patch' ? 'patch' : 'whole');
        }}
        options={[
          {
            value: 'whole',
            label: 'Replace all fields',
            description: 'The new version has exactly these fields.',
            disabledReason: reasons.whole,
          },
          {
            value: 'patch',
            label: 'Patch changed fields',
            description: "The other fields aren't sent and stay unchanged.",
            disabledReason: reasons.patch,
          },
        ]}
      />
    </Card>
  );
}
