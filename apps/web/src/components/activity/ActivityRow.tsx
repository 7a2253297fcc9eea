import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Badge } from '@gatehouse/ui/badge';
import { Link } from '@gatehouse/ui/link';
import { Time } from '../environment/Time.tsx';
import { actionWords, fieldWords, outcomeOf } from './activity-words.ts';

/** An entry of the audit trail in a few lines. @param about who did it, or which record it is about */
export function ActivityRow({ entry, about }: { entry: ActivityEntry; about: string }) {
  const { word, tone } = outcomeOf(entry);
  const fields = fieldWords(entry);
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-body text-ink-1">
        <Link href={`/${entry.environment}/activity?entry=${String(entry.sequence)}`}>
          {actionWords(entry.action, entry.paths)}
        </Link>
        {entry.outcome !== 'succeeded' && <Badge tone={tone}>{word}</Badge>}
      </p>
      <p className="text-meta text-ink-2 wrap-anywhere">
        {about}, <Time value={entry.time} />
      </p>
      {fields !== '' && <p className="text-meta text-ink-2 wrap-anywhere">{fields}</p>}
    </>
  );
}
