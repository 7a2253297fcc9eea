import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { actionWords, outcomeWords, resourceWords } from '#components/activity/activity-words.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { Trail } from './use-trail.ts';

/** What checking an unknown outcome has found. If that is nothing, the user can say it. */
export function SettleNews({ settle }: Pick<Trail, 'settle'>) {
  const { data, error, variables, mutate, reset } = settle;
  const answers = [
    ['succeeded', 'It was done'],
    ['failed', 'It was not done'],
  ] as const;
  const actions = variables && (
    <>
      {answers.map(([said, label]) => (
        <Button
          key={said}
          size={28}
          onPress={() => {
            mutate({ sequence: variables.sequence, said });
          }}
        >
          {label}
        </Button>
      ))}
    </>
  );
  const hint = 'Look at the record yourself, then say what you found. The entry names you.';
  if (error !== null)
    return (
      <Banner tone="danger" title={wordsOf(error).title} actions={actions} onClose={reset}>
        {wordsOf(error).detail} {hint}
      </Banner>
    );
  if (data === undefined) return null;
  const isOpen = data.outcome === 'unknown';
  return (
    <Banner tone="info" title={newsOf(data)} actions={isOpen ? actions : undefined} onClose={reset}>
      {isOpen ? hint : undefined}
    </Banner>
  );
}

function newsOf(entry: ActivityEntry): string {
  const what = `${actionWords(entry.action, entry.paths)}, ${resourceWords(entry)}`;
  if (entry.outcome === 'succeeded') return `${what}: it succeeded.`;
  if (entry.outcome === 'pending') return `${what}: still in progress. Check again in a minute.`;
  return entry.outcome === 'unknown'
    ? `${what}: still unknown after reading the service again.`
    : `${what}: it was not done (${outcomeWords[entry.outcome].word.toLowerCase()}).`;
}
