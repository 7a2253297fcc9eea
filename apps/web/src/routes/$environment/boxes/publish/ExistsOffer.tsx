import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { useSaveQuestion } from '#components/record/use-save-question.tsx';
import type { Existing } from '#queries/publish.ts';

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
  const { ask, question } = useSaveQuestion();
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
                void ask(guard).then((isConfirmed) => {
                  if (isConfirmed) onChoose('update');
                });
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
      {question}
    </>
  );
}
