import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxesHref, organizationsHref, ownerHref } from '#components/places/boxes.ts';
import { LinkedRecords } from '#components/record/DetailCard.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery, boxTokensQuery } from '#queries/box-accounts.ts';
import { TokensCard } from './TokensCard.tsx';
import { TwoFactorCard } from './TwoFactorCard.tsx';

export const Route = createFileRoute('/$environment/boxes/account/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
    void queryClient.prefetchQuery(boxTokensQuery(environment));
  },
  component: AccountPage,
});

/** Your account in the registry: tokens for other clients, and the second factor. */
function AccountPage() {
  usePageTitle('Tokens and second factor');
  const environment = useEnvironment();
  const account = useQuery(boxAccountQuery(environment.id));
  return (
    <>
      <PageHeader
        icon={KeyRound}
        title="Tokens and second factor"
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment.id) }]}
        meta={account.data && <Badge>{account.data.username}</Badge>}
      />
      {account.data !== undefined ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)] wide:p-6">
            <TokensCard account={account.data} />
            <div className="flex min-w-0 flex-col gap-4">
              {account.data.two_factor !== null && (
                <TwoFactorCard account={account.data} twoFactor={account.data.two_factor} />
              )}
              <NamespacesCard account={account.data} />
            </div>
          </div>
        </div>
      ) : (
        <Waiting query={account} label="Loading the account" />
      )}
    </>
  );
}

function NamespacesCard({ account }: { account: BoxAccount }) {
  const environment = useEnvironment();
  const { namespaces, namespaces_complete: isComplete } = account;
  return (
    <Card
      title="Where you can publish"
      isFlush
      actions={
        account.organizations !== null && (
          <LinkButton href={organizationsHref(environment.id)} size={28} variant="ghost">
            Organizations
          </LinkButton>
        )
      }
    >
      {namespaces.length === 0 ? (
        <p className="p-4 text-body text-ink-2">
          {isComplete ? 'Nowhere. Your role is read-only.' : 'Not reported by the registry.'}
        </p>
      ) : (
        <LinkedRecords
          label="Owners you can publish for"
          items={namespaces.map(({ username, kind }) => ({
            id: username,
            name: username,
            href: ownerHref(environment.id, username),
            detail: kind === 'person' ? 'You' : 'Organization',
          }))}
        />
      )}
      {!isComplete && namespaces.length > 0 && (
        <p className="border-t border-line px-4 py-1.5 text-meta text-ink-2">
          The registry doesn't list all owners, so this list may be incomplete.
        </p>
      )}
    </Card>
  );
}
