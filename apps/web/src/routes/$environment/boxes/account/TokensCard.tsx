import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Loaded } from '#components/errors/Loaded.tsx';
import { useShortcut } from '#lib/shortcuts.ts';
import { boxTokensQuery } from '#queries/box-accounts.ts';

const NewToken = lazy(async () => ({ default: (await import('./NewToken.tsx')).NewToken }));
const CheckToken = lazy(async () => ({ default: (await import('./CheckToken.tsx')).CheckToken }));
const DeleteToken = lazy(async () => ({ default: (await import('./DeleteToken.tsx')).DeleteToken }));

interface ListedToken {
  readonly token_hash: string;
  readonly description: string;
  readonly created_time: string;
  readonly last_used_time: string;
  /** Whether this is the console's own token for this session. */
  readonly own: boolean;
}

type Asking = 'new' | 'check' | ListedToken;

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
        {(tokens) => (
          <TokenList
            tokens={tokens}
            onDelete={(token) => {
              setAsking(token);
            }}
          />
        )}
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

function TokenList({
  tokens,
  onDelete,
}: {
  tokens: readonly ListedToken[] | null;
  onDelete: (token: ListedToken) => void;
}) {
  if (tokens === null || tokens.length === 0) {
    return (
      <p className="p-4 text-body text-ink-2">
        {tokens === null
          ? "This registry doesn't list tokens. To delete a token that you have, check it first."
          : 'No tokens yet. A token is shown once, when it is created.'}
      </p>
    );
  }
  return (
    <ul aria-label="Tokens">
      {tokens.map((token) => (
        <li
          key={token.token_hash}
          className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2 last:border-b-0"
        >
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium wrap-anywhere text-ink-1">
                {token.description === '' ? 'Without a description' : token.description}
              </span>
              {token.own && <Badge tone="accent">This session</Badge>}
            </p>
            <p className="flex flex-wrap gap-x-3 text-meta text-ink-2">
              <span>
                Created <Time value={token.created_time} isRelative />
              </span>
              <span>
                {token.last_used_time === '' ? (
                  'Never used'
                ) : (
                  <>
                    Used <Time value={token.last_used_time} isRelative />
                  </>
                )}
              </span>
              <span className="font-mono">{token.token_hash.slice(0, 12)}</span>
            </p>
          </div>
          <Button
            size={28}
            variant="ghost"
            aria-label={`Delete token ${token.description || 'without a description'}`}
            disabledReason={
              token.own
                ? 'The console uses it for this session. Disconnect in Connections instead.'
                : undefined
            }
            onPress={() => {
              onDelete(token);
            }}
          >
            Delete
          </Button>
        </li>
      ))}
    </ul>
  );
}
