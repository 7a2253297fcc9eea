import type { ComparisonMatch } from '@gatehouse/api-types/console/secrets';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { PasswordField } from '@gatehouse/ui/password-field';
import { formatRelative, useNow } from '@gatehouse/ui/time';
import { useState } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { useCompareSecret, type SecretPlace } from '#queries/secrets.ts';
import { versionsInWords } from '../-versions/version-words.ts';
import { reasonAgainstReading } from '../may.ts';
import type { SecretTabProps } from '../secret-tab-props.ts';

/** Checks which field and version a pasted value equals. Shows no stored values. */
export function IsThisIt({ place, may }: { place: SecretPlace; may: SecretTabProps['secret']['may'] }) {
  const [value, setValue] = useState('');
  const compare = useCompareSecret(place);
  const now = useNow();
  const cannotRead = reasonAgainstReading(may);
  useForgetting(() => {
    setValue('');
  });
  const { data } = compare;
  return (
    <Card title="Check a value">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (value === '' || cannotRead !== undefined) return;
          compare.mutate(value);
          // Clears the value after the check.
          setValue('');
        }}
      >
        <PasswordField
          label="Value"
          description="Paste a value you have, for example from a file or a failing service."
          value={value}
          onChange={setValue}
          autoComplete="off"
          disabledReason={cannotRead}
        />
        <div>
          <Button
            type="submit"
            size={28}
            isPending={compare.isPending}
            disabledReason={value === '' ? 'Paste a value first.' : cannotRead}
          >
            Compare
          </Button>
        </div>
      </form>
      <div role="status" className="mt-3 flex flex-col gap-2 text-body empty:hidden">
        {compare.isError && (
          <p className="text-danger">
            {wordsOf(compare.error).title}. {wordsOf(compare.error).detail}
          </p>
        )}
        {data?.matches.map((match) => (
          <p key={`${match.field} ${String(match.version)}`} className="flex items-start gap-1.5">
            <span className="shrink-0">
              <Badge tone={match.current ? 'ok' : 'warn'}>{match.current ? 'Current' : 'Old'}</Badge>
            </span>
            <span className="text-ink-1">{matchWords(match, now)}</span>
          </p>
        ))}
        {data !== undefined && data.matched > data.matches.length && (
          <p className="text-ink-1">
            {(data.matched - data.matches.length).toLocaleString('en')} more{' '}
            {data.matched - data.matches.length === 1 ? 'match is' : 'matches are'} not shown.
          </p>
        )}
        {data?.matched === 0 && (
          <p className="text-ink-1">
            No field in{' '}
            {data.compared === 1
              ? 'the only readable version'
              : `the ${String(data.compared)} readable versions`}{' '}
            has this value.
          </p>
        )}
        {data !== undefined && data.unreadable.length > 0 && (
          <p className="text-meta text-ink-2">
            Not compared, because deleted or destroyed: {versionsInWords(data.unreadable)}.
          </p>
        )}
      </div>
    </Card>
  );
}

/** `Equals db_password in version 6, superseded 12 days ago.` */
export function matchWords(
  { field, version, superseded_time: superseded }: ComparisonMatch,
  now: number,
): string {
  const equals = `Equals ${fieldOfPointer(field)} in version ${String(version)}`;
  return superseded === null
    ? `${equals}, the newest.`
    : `${equals}, superseded ${formatRelative(superseded, Math.max(now, Date.parse(superseded)))}.`;
}

/** A JSON Pointer in readable form: `db.password`. */
export function fieldOfPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
