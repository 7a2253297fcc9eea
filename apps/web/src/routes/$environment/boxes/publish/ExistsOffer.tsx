import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import type { Existing } from '#queries/publish.ts';

/** Something is at the registry already: that is offered, and not an error. */
export function ExistsOffer({
  what,
  useLabel = 'Use it as it is',
  updateLabel,
  detail,
  isPending,
  onChoose,
}: {
  /** `The box acme/base` */
  what: string;
  useLabel?: string;
  updateLabel: string;
  detail: string;
  isPending: boolean;
  onChoose: (existing: Existing) => void;
}) {
  return (
    <Banner
      tone="info"
      title={`${what} is there already`}
      actions={
        <>
          <Button
            size={28}
            isPending={isPending}
            onPress={() => {
              onChoose('update');
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
  );
}
