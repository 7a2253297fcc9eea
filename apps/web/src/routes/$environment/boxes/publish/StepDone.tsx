import type { PublishStep } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';

const outcomes = {
  created: 'was created',
  used: 'already existed, and is used unchanged',
  updated: 'already existed, and was updated',
};

/** A step that is done cannot be done otherwise: what came of it. */
export function StepDone({ title, step, nextHref }: { title: string; step: PublishStep; nextHref: string }) {
  return (
    <Banner
      tone="ok"
      announce="none"
      title={`${title} ${outcomes[step.outcome ?? 'used']}`}
      actions={
        <LinkButton size={28} href={nextHref}>
          Continue
        </LinkButton>
      }
    >
      It is in the registry. Edit it on its own page, or abandon this run and start another.
    </Banner>
  );
}
