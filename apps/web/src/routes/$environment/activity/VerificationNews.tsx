import type { Verification } from '@gatehouse/api-types/console/activity';
import { Banner } from '@gatehouse/ui/banner';
import { Code } from '@gatehouse/ui/code';

const faultWords = {
  changed: 'its content was changed',
  missing: 'it is missing',
  moved: "it doesn't follow the row before it",
  'key-missing': "its key can't be decrypted",
  cut: 'the rows after it were removed',
  added: "it was added and isn't part of the trail",
} as const;

/** The result of verifying the chain of hashes, with the broken rows. */
export function VerificationNews({
  verification,
  onClose,
}: {
  verification: Verification;
  onClose: () => void;
}) {
  const { intact, rows, head, faults } = verification;
  const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
  if (intact) {
    return (
      <Banner tone="ok" title={`The trail is intact: ${count} checked`} onClose={onClose}>
        {head.sequence > 0 && (
          <>
            Its last row is {head.sequence.toLocaleString('en')}, with hash <Code>{head.hash}</Code>. Keep a
            copy elsewhere to verify later that no earlier row was replaced.
          </>
        )}
      </Banner>
    );
  }
  return (
    <Banner tone="danger" title="The trail was tampered with" onClose={onClose}>
      Of {count}:
      <ul className="list-disc ps-5">
        {faults.map(({ sequence, fault }) => (
          <li key={`${String(sequence)} ${fault}`}>
            Row {sequence}: {faultWords[fault]}.
          </li>
        ))}
      </ul>
    </Banner>
  );
}
