import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, useState } from 'react';

const SetUpTwoFactor = lazy(async () => ({ default: (await import('./SetUpTwoFactor.tsx')).SetUpTwoFactor }));
const RemoveTwoFactor = lazy(async () => ({
  default: (await import('./RemoveTwoFactor.tsx')).RemoveTwoFactor,
}));

/** Shows whether signing in requires a code, and sets this up. */
export function TwoFactorCard({
  account,
  twoFactor,
}: {
  account: BoxAccount;
  twoFactor: NonNullable<BoxAccount['two_factor']>;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  return (
    <Card
      title="Second factor"
      actions={
        <>
          {twoFactor.enabled ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>}
          <Button
            size={28}
            onPress={() => {
              setOpen(true);
            }}
          >
            {twoFactor.enabled ? 'Remove' : 'Set up'}
          </Button>
        </>
      }
    >
      <p className="text-body text-ink-2">
        {twoFactor.enabled
          ? `Signing in and creating tokens require a code from your authenticator.${twoFactor.destination === null ? '' : ` Codes can also be sent to ${twoFactor.destination}.`}`
          : 'Anyone who knows your password can publish as you. With a second factor they also need your authenticator.'}
      </p>
      {isOpen && (
        <Suspense fallback={null}>
          {twoFactor.enabled ? (
            <RemoveTwoFactor account={account} onClose={close} />
          ) : (
            <SetUpTwoFactor account={account} onClose={close} />
          )}
        </Suspense>
      )}
    </Card>
  );
}
