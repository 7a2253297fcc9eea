import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { TokenList } from '#components/credentials/TokenList.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Loaded } from '#components/errors/Loaded.tsx';
import { useShortcut } from '#lib/shortcuts.ts';
import { boxTokensQuery } from '#queries/box-accounts.ts';

const NewToken = lazy(async () => ({ default: (await import('./NewToken.tsx')).NewToken }));
const CheckToken = lazy(async () => ({ default: (await import('./CheckToken.tsx')).CheckToken }));
const DeleteToken = lazy(async () => ({ default: (await import('./DeleteToken.tsx')).DeleteToken }));

type Asking = 'new' | 'check' | { readonly token_hash: string; readonly description: string };

/** Tokens for other clients: create, check and delete them. A token is shown only once. */
export function TokensCard({ account }: { account: BoxAccount }) {
  const environment = useEnvironment();
  const query = useQuery(boxTokensQuery(environment.id));
  const [asking, setAsking] = useState<Asking>();
  const close = (): void => {
    setAsking(undefined);
  };
  useShortcut({
    keys: 'c',
    label: 'New token',
    group: 'Account',
    run: () => {
      setAsking('new');
    },
  });
  return (
    <Card
      title="Tokens for other clients"
      isFlush
      actions={
        <>
          <Button
            size={28}
            variant="ghost"
            onPress={() => {
              setAsking('check');
            }}
          >
            Check a token
          </Button>
          <Button
            size={28}
            variant="primary"
            shortcut="c"
            onPress={() => {
              setAsking('new');
            }}
          >
            New token
          </Button>
        </>
      }
      footer="Vagrant, Packer and scripts send a token in place of your password. Set VAGRANT_CLOUD_TOKEN to the token."
    >
      <Loaded query={query} label="Loading the tokens" lines={4} isFlush>
        {(tokens) =>
          tokens === null || tokens.length === 0 ? (
            <p className="p-4 text-body text-ink-2">
              {tokens === null
                ? "This registry doesn't list tokens. To delete a token that you have, check it first."
                : 'No tokens yet. A token is shown once, when it is created.'}
            </p>
          ) : (
            <TokenList
              tokens={tokens}
              idOf={({ token_hash: hash }) => hash}
              isOwn={({ own }) => own}
              hashOf={({ token_hash: hash }) => hash.slice(0, 12)}
              verb="Delete"
              onPress={setAsking}
            />
          )
        }
      </Loaded>
      {asking !== undefined && (
        <Suspense fallback={null}>
          {asking === 'new' && <NewToken account={account} onClose={close} />}
          {asking === 'check' && <CheckToken onClose={close} />}
          {typeof asking === 'object' && (
            <DeleteToken
              token={{ token_hash: asking.token_hash }}
              description={asking.description}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </Card>
  );
}
