import type { Harm } from '@gatehouse/api-types/console/harm';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';

/** Asks before entered secrets replace stored ones; undefined if none were entered. */
export function guardOfSecrets(
  harm: Harm | undefined,
  noun: string,
  name: string,
  attributes: object,
  secrets: ReadonlySet<string>,
): SaveGuard | undefined {
  const isEntered = Object.entries(attributes).some(
    ([attribute, value]) => secrets.has(attribute) && value !== undefined && value !== '',
  );
  if (!isEntered) return undefined;
  return {
    harm,
    title: `Replace the secret of ${noun} ${name}?`,
    confirmLabel: 'Replace secret',
    typedName: name,
    impacts: [
      {
        kind: 'breaks',
        text: "The stored secret can't be read or restored. This can't be undone.",
      },
      { kind: 'worth-knowing', text: 'New sessions use the new secret.' },
    ],
  };
}
