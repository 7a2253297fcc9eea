import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { SecretValue } from '@gatehouse/ui/secret-value';
import type { ReactNode } from 'react';

interface TokenOnceProps {
  token: string;
  onClose: () => void;
  /** How clients present it. */
  children: ReactNode;
}

/** A token that was created a moment ago: masked, to be copied, and gone with the dialog. */
export function TokenOnce({ token, onClose, children }: TokenOnceProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="The token is created"
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Banner tone="warn" title="Shown once" announce="none">
          It is not kept anywhere and can't be shown again. Whoever holds it acts in your name.
        </Banner>
        <KeyValueList items={[{ label: 'Token', value: <SecretValue label="Token" text={token} /> }]} />
        {children}
      </div>
    </Dialog>
  );
}
