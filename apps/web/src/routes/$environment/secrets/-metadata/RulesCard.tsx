import type { SecretRules } from '@gatehouse/api-types/console/secret-metadata';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { casInWords, deleteAfterInWords, effectiveRules, maxVersionsInWords } from './effective-rules.ts';

/** The rules that result from the settings of a secret and its engine. */
export function RulesCard({
  title,
  own,
  engine,
}: {
  title: string;
  /** Undefined to show the engine's own rules. */
  own?: SecretRules;
  /** Undefined if its settings can't be read, or aren't loaded yet. */
  engine: SecretRules | undefined;
}) {
  if (engine === undefined) {
    return (
      <DetailCard
        title={title}
        items={[
          {
            label: 'Unknown',
            value:
              "The engine's settings are unknown. They apply where the secret has no setting of its own, or a longer deletion time.",
          },
        ]}
      />
    );
  }
  const rules = effectiveRules(own, engine);
  return (
    <DetailCard
      title={title}
      items={[
        { label: 'Versions kept', value: maxVersionsInWords(rules) },
        { label: 'New versions are deleted', value: deleteAfterInWords(rules) },
        { label: 'Check-and-set required', value: casInWords(rules) },
      ]}
    />
  );
}
