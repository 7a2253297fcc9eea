import type { VersionChoice } from '@gatehouse/api-types/console/modules';
import { deprecationWords } from '#routes/$environment/modules/deprecation-words.ts';

export interface ReplacementChoice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
}

/** Versions that may replace one: the newest first, none that was revoked. @param text what was typed so far */
export function replacementChoices(
  versions: readonly VersionChoice[],
  replaced: string,
  text: string,
): readonly ReplacementChoice[] {
  return versions
    .filter(({ version, deprecation }) => version !== replaced && deprecation?.state !== 'revoked')
    .filter(({ version }) => version.includes(text.trim()))
    .slice(0, 50)
    .map(({ version, deprecation }) => ({
      id: version,
      label: version,
      ...(deprecation !== null && { detail: deprecationWords[deprecation.state].word }),
    }));
}
