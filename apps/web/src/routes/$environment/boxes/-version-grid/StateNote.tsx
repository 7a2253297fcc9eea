import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { stateWords } from './state-words.ts';

/** Warns if the version's state has changed since you saw it. */
export function StateNote({ seen, now }: { seen: BoxVersion; now: BoxVersion }) {
  if (seen.status === now.status) return null;
  return (
    <p role="status">
      The version is {stateWords(now.status).word.toLowerCase()} now; it was{' '}
      {stateWords(seen.status).word.toLowerCase()}.
    </p>
  );
}
