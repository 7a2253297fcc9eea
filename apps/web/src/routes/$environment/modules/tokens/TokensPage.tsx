import type { ModuleToken } from '@gatehouse/api-types/console/module-operations';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { lazy } from '@gatehouse/ui/lazy';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { TokenList } from '#components/credentials/TokenList.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { modulesHref } from '#components/places/modules.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { moduleTokensQuery } from '#queries/module-changes.ts';

export const Route = createFileRoute('/$environment/modules/tokens/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(moduleTokensQuery(environment));
  },
  component: TokensPage,
});

const NewToken = lazy(async () => ({ default: (await import('./NewToken.tsx')).NewToken }));
const RevokeToken = lazy(async () => ({ default: (await import('./RevokeToken.tsx')).RevokeToken }));

/** The user's tokens for the module registry. Clients present them to publish and to be counted as consumers. */
function TokensPage() {
  const environment = useEnvironment();
  const query = useQuery(moduleTokensQuery(environment.id));
  const [asking, setAsking] = useState<'new' | ModuleToken>();
  usePageTitle('Module tokens');
  const create = (): void => {
    setAsking('new');
  };
  const close = (): void => {
    setAsking(undefined);
  };
  const tokens = query.data;
  const canCreate = tokens !== null && tokens !== undefined;
  useShortcut(canCreate ? { keys: 'c', label: 'New token', group: 'Tokens', run: create } : undefined);
  return (
    <>
      <PageHeader
        icon={KeyRound}
        title="Module tokens"
        ancestors={[{ id: 'modules', label: 'Modules', href: modulesHref(environment.id) }]}
        actions={
          canCreate && (
            <Button size={28} variant="primary" shortcut="c" onPress={create}>
              New token
            </Button>
          )
        }
      />
      {tokens === undefined ? (
        <Waiting query={query} label="Loading the tokens" />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto w-full max-w-200 p-4 wide:p-6">
            {tokens === null ? (
              <p className="text-body text-ink-2">
                This registry doesn't let the console manage tokens. Create tokens at the registry itself.
              </p>
            ) : tokens.length === 0 ? (
              <EmptyState
                icon={KeyRound}
                title="No tokens yet"
                action={
                  <Button variant="primary" onPress={create}>
                    Create the first token
                  </Button>
                }
                command={`curl --request POST "$MODULE_REGISTRY/v1/tokens" --json '{"username": "…", "password": "…", "description": "CI runner"}'`}
              >
                Clients need a token to publish modules, and to be listed as consumers of the modules they
                download.
              </EmptyState>
            ) : (
              <Card
                title={`Tokens (${tokens.length.toLocaleString('en')})`}
                isFlush
                footer="Modules can be fetched without a token. Downloads with a token are recorded under its description, on the module's Downloads tab."
              >
                <TokenList
                  tokens={tokens}
                  idOf={({ id }) => id}
                  isOwn={({ current }) => current}
                  verb="Revoke"
                  onPress={setAsking}
                />
              </Card>
            )}
          </div>
        </div>
      )}
      {asking !== undefined && (
        <Suspense fallback={null}>
          {asking === 'new' ? (
            <NewToken environment={environment.id} onClose={close} />
          ) : (
            <RevokeToken environment={environment.id} token={asking} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  );
}
