import { Checkbox } from '@gatehouse/ui/checkbox';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { useState } from 'react';
import type { UnderWay } from './count-under-way.ts';

/** Confirms signing out while images are being transferred, and asks whether to stop deliveries. */
export function SignOutQuestion({
  underWay: { all, delivered },
  onClose,
  onSignOut,
}: {
  underWay: UnderWay;
  onClose: () => void;
  onSignOut: (choice: { readonly stopsDeliveries: boolean }) => void;
}) {
  const [stopsDeliveries, setStopsDeliveries] = useState(false);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Sign out while ${all === 1 ? '1 image is' : `${String(all)} images are`} being transferred?`}
      confirmLabel="Sign out"
      cancelLabel="Stay signed in"
      onConfirm={() => {
        onSignOut({ stopsDeliveries });
      }}
    >
      <div className="flex flex-col gap-3">
        <p>
          {delivered < all &&
            'Uploads from this page stop. To continue, sign in and choose each file again. '}
          {delivered > 0 &&
            'Deliveries from the console to the registry continue without you. Each delivery keeps its own token until it is done.'}
        </p>
        {delivered > 0 && (
          <Checkbox
            isSelected={stopsDeliveries}
            onChange={setStopsDeliveries}
            description="The console keeps the files. You can deliver them after you sign in again. Moves that use this session are paused too."
          >
            Stop {delivered === 1 ? 'the delivery' : `the ${String(delivered)} deliveries`} too
          </Checkbox>
        )}
      </div>
    </ConfirmDialog>
  );
}
