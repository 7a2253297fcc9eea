import { Banner } from '@gatehouse/ui/banner';
import { KeyValueList, type KeyValueListProps } from '@gatehouse/ui/key-value-list';
import type { ReactNode } from 'react';
import { OnceDialog } from './OnceDialog.tsx';
import { SecretOnce } from './SecretOnce.tsx';

interface TokenOnceProps {
  token: string;
  /** For tokens other than the user's own. */
  title?: string;
  /** What the token's holder may do. */
  warning?: string;
  /** Further facts about the token. */
  facts?: KeyValueListProps['items'];
  onClose: () => void;
  /** How clients use it. */
  children: ReactNode;
}

/** A new token: masked, copyable, and not available again after the dialog closes. */
export function TokenOnce({
  token,
  title = 'Token created',
  warning = 'Anyone who has it can act as you.',
  facts = [],
  onClose,
  children,
}: TokenOnceProps) {
  return (
    <OnceDialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Banner tone="warn" title="Shown once" announce="none">
          The token can't be shown again. {warning}
        </Banner>
        <KeyValueList
          items={[{ label: 'Token', value: <SecretOnce label="Token" text={token} /> }, ...facts]}
        />
        {children}
      </div>
    </OnceDialog>
  );
}
