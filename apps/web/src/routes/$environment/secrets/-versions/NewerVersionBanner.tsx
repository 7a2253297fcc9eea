import { Banner } from '@gatehouse/ui/banner';
import { Link } from '@gatehouse/ui/link';
import { byWhom } from '#components/conflict/author-words.ts';
import type { Author } from '#components/conflict/conflict-state.ts';
import { Time } from '#components/environment/Time.tsx';

/** What was found in the place of the version that the person saw. */
export interface NewerVersion extends Author {
  /** Its number as a text. */
  readonly revision: string;
  /** The same with its metadata's, where the conflict named both. */
  readonly whole?: string;
  /** The number is that of the version that was seen: its metadata was changed, or the secret was created again. */
  readonly isSameNumber?: boolean;
}

/** Somebody wrote a version since the person looked: nothing was done, and it can be done knowingly. */
export function NewerVersionBanner({ newer, compareHref }: { newer: NewerVersion; compareHref?: string }) {
  const { revision, changedAt, isSameNumber = false } = newer;
  return (
    <Banner
      tone="warn"
      announce="alert"
      title={
        isSameNumber ? 'This secret has been changed since' : `Version ${revision} has been written since`
      }
      {...(compareHref !== undefined && { actions: <Link href={compareHref}>Compare the two</Link> })}
    >
      It was {isSameNumber ? 'changed' : 'written'} {byWhom(newer)}
      {changedAt !== null && (
        <>
          {' '}
          <Time value={changedAt} isRelative />
        </>
      )}
      . Nothing was changed yet. Confirm again to continue anyway.
    </Banner>
  );
}
