import { Banner } from '@gatehouse/ui/banner';
import { Link } from '@gatehouse/ui/link';
import { byWhom } from '#components/conflict/author-words.ts';
import type { Author } from '#components/conflict/conflict-state.ts';
import { Time } from '#components/layout/Time.tsx';

/** What was found in the place of the version that the person saw. */
export interface NewerVersion extends Author {
  /** Its number as a text. */
  readonly revision: string;
}

/** Somebody wrote a version since the person looked: nothing was done, and it can be done knowingly. */
export function NewerVersionBanner({ newer, compareHref }: { newer: NewerVersion; compareHref?: string }) {
  const { revision, changedAt } = newer;
  return (
    <Banner
      tone="warn"
      announce="alert"
      title={`Version ${revision} was written meanwhile`}
      {...(compareHref !== undefined && { actions: <Link href={compareHref}>Compare the two</Link> })}
    >
      It was written {byWhom(newer)}
      {changedAt !== null && (
        <>
          {' '}
          <Time value={changedAt} isRelative />
        </>
      )}
      . Nothing was changed yet: confirm again to go on with that in mind.
    </Banner>
  );
}
