import type { StatusDotProps } from '@gatehouse/ui/badge';

const words: Readonly<Record<string, { word: string; tone: StatusDotProps['tone'] }>> = {
  active: { word: 'Released', tone: 'ok' },
  unreleased: { word: 'Unreleased', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'danger' },
};

/** A state's name; an unknown state is shown as the registry reports it. */
export function stateWords(status: string): { readonly word: string; readonly tone: StatusDotProps['tone'] } {
  return words[status] ?? { word: status === '' ? 'Not reported' : status, tone: 'neutral' };
}
