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
    <Card title="How it is saved">
      <RadioGroup
        label="What is written"
        isLabelHidden
        value={mode}
        onChange={(value) => {
          onChange(value === 'patch' ? 'patch' : 'whole');
        }}
        options={[
          {
            value: 'whole',
            label: 'The whole secret',
            description: 'The new version has exactly these fields.',
            disabledReason: reasons.whole,
          },
          {
            value: 'patch',
            label: 'Only what changed',
            description: "A patch. The other fields aren't sent, and stay unchanged.",
            disabledReason: reasons.patch,
          },
        ]}
      />
    </Card>
  );
}
