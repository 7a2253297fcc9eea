import { Card } from '@gatehouse/ui/card';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import type { WriteMode } from '#queries/secrets.ts';

/** Chooses how the new version is written, with the reason if one way isn't possible. */
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
