import { StatusDot } from '@gatehouse/ui/badge';
import { stateWords } from './state-words.ts';

/** The state of a version, in a word. */
export function VersionState({ status }: { status: string }) {
  const { word, tone } = stateWords(status);
  return <StatusDot tone={tone}>{word}</StatusDot>;
}
