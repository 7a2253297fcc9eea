import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, useState } from 'react';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import type { Existing } from '#queries/publish.ts';

const SaveQuestion = lazy(async () => ({
  default: (await import('#components/record/SaveQuestion.tsx')).SaveQuestion,
}));

/** Something is at the registry already: that is offered, and not an error. */
export function ExistsOffer({
  what,
  useLabel = 'Use it as it is',
  updateLabel,
  detail,
  isPending,
  guard,
  onChoose,
}: {
  /** `The box acme/base` */
  what: string;
  useLabel?: string;
  updateLabel: string;
  detail: string;
  isPending: boolean;
  /** What is asked before it is given other values. */
  guard?: SaveGuard | undefined;
  onChoose: (existing: Existing) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Banner
        tone="info"
        title={`${what} is there already`}
        actions={
          <>
            <Button
              size={28}
              isPending={isPending}
              onPress={() => {
                if (guard === undefined) onChoose('update');
                else setAsking(true);
              }}
            >
              {updateLabel}
            </Button>
            <Button
              size={28}
              variant="primary"
              isPending={isPending}
              onPress={() => {
                onChoose('use');
              }}
            >
              {useLabel}
            </Button>
          </>
        }
      >
        {detail}
      </Banner>
      {isAsking && guard !== undefined && (
        <Suspense fallback={null}>
          <SaveQuestion
            guard={guard}
            onAnswer={(isConfirmed) => {
              setAsking(false);
              if (isConfirmed) onChoose('update');
            }}
          />
        </Suspense>
      )}
    </>
  );
}
