import { Banner } from '@gatehouse/ui/banner';
import type { MapEntries } from '#components/form/record-form.ts';
import { useRoundsNumbers } from '#components/form/secrets-client.ts';
import { roundedIn } from './rounded-numbers.ts';

/** Numbers that are named; of more their count. */
const named = 5;

/** Warns of numbers that the server would answer rounded. */
export function RoundedNumbers({ value }: { value: MapEntries }) {
  const roundsNumbers = useRoundsNumbers();
  const found = roundsNumbers ? roundedIn(value) : [];
  if (found.length === 0) return null;
  return (
    <Banner
      tone="warn"
      title={
        found.length === 1
          ? 'The server rounds a number'
          : `The server rounds ${found.length.toLocaleString('en')} numbers`
      }
    >
      <p>It keeps 15 to 17 digits. Put a number in double quotes to keep every digit.</p>
      <ul className="mt-1 list-disc ps-5">
        {found.slice(0, named).map(({ name, becomes }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-mono text-meta">{name}</span>
            {becomes === null ? " is too large. The secret couldn't be read again" : ` becomes ${becomes}`}
          </li>
        ))}
        {found.length > named && <li>and {(found.length - named).toLocaleString('en')} more</li>}
      </ul>
    </Banner>
  );
}
