import { DetailCard } from '#components/record/DetailCard.tsx';

/** The server's fields that the form doesn't have. */
export function OtherFields({ other }: { other: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries(other);
  if (fields.length === 0) return null;
  return (
    <DetailCard
      title="Other fields, kept when you save"
      items={fields.map(([label, value]) => ({
        label,
        value: typeof value === 'string' ? value : JSON.stringify(value),
        isMono: true,
      }))}
    />
  );
}
