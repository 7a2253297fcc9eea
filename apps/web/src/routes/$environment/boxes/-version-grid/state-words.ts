import type { StatusDotProps } from '@gatehouse/ui/badge';

const words: Readonly<Record<string, { word: string; tone: StatusDotProps['tone'] }>> = {
  active: { word: 'Released', tone: 'ok' },
  unreleased: { word: 'Unreleased', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'danger' },
};

/** The state of a version in a word; one that this console does not know is said as the registry says it. */
export function stateWords(status: string): { readonly word: string; readonly tone: StatusDotProps['tone'] } {
  return words[status] ?? { word: status === '' ? 'Not reported' : status, tone: 'neutral' };
}
