import type { ExistingDecision } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { DiffList, type FieldChange } from '@gatehouse/ui/diff-list';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { useSaveQuestion } from '#components/record/use-save-question.tsx';

/** Offers to use a record that already exists in the registry, or to replace its values after showing them. */
export function ExistsOffer({
  what,
  stored,
  changes,
  useLabel = 'Use it unchanged',
  updateLabel,
  detail,
  isPending,
  guard,
  onChoose,
}: {
  /** `The box acme/base` */
  what: string;
  /** The record as the step found it. */
  stored: { readonly revision: string; readonly changed: boolean };
  /** The changes that your values would make. */
  changes: readonly FieldChange[];
  useLabel?: string | undefined;
  updateLabel: string;
  detail: string;
  isPending: boolean;
  /** Asked before the values are replaced. */
  guard?: SaveGuard | undefined;
  onChoose: (decision: ExistingDecision) => void;
}) {
  const { ask, question } = useSaveQuestion();
  return (
    <div className="flex flex-col gap-2">
      <Banner
        tone={stored.changed ? 'warn' : 'info'}
        title={stored.changed ? `${what} has changed since you saw it` : `${what} already exists`}
        actions={
          <>
            {changes.length > 0 && (
              <Button
                size={28}
                isPending={isPending}
                onPress={() => {
                  void ask(guard).then((isConfirmed) => {
                    if (isConfirmed) onChoose({ existing: 'update', revision: stored.revision });
                  });
                }}
              >
                {updateLabel}
              </Button>
            )}
            <Button
              size={28}
              variant="primary"
              isPending={isPending}
              onPress={() => {
                onChoose({ existing: 'use' });
              }}
            >
              {useLabel}
            </Button>
          </>
        }
      >
        {stored.changed && 'Nothing was overwritten. '}
        {changes.length > 0 ? detail : 'It already has the values you entered.'}
      </Banner>
      {changes.length > 0 && (
        <DiffList label="Existing and yours" beforeLabel="Existing" afterLabel="Yours" changes={changes} />
      )}
      {question}
    </div>
  );
}
