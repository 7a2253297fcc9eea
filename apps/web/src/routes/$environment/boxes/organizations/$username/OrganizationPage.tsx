import type { Organization, OrganizationMember } from '@gatehouse/api-types/console/box-organizations';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Building2, PencilLine, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Markdown } from '#components/markdown/Markdown.tsx';
import {
  organizationCrumbs,
  organizationHref,
  organizationsHref,
  ownerHref,
} from '#components/places/boxes.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { RecordButtons } from '#components/record/RecordButtons.tsx';
import { counted } from '#lib/counted.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { boxAccountQuery, organizations } from '#queries/box-accounts.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { recordQuery } from '#queries/record-life.ts';
import { mayWords } from '../../-editing/role-words.ts';
import { reasonAgainstManaging } from '../../may.ts';
import { OrganizationFrame } from '../OrganizationFrame.tsx';
import { MembersCard } from './MembersCard.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(recordQuery(organizations, environment, username));
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: OrganizationPage,
});

const AddMember = lazy(async () => ({ default: (await import('./AddMember.tsx')).AddMember }));
const ChangeMember = lazy(async () => ({ default: (await import('./ChangeMember.tsx')).ChangeMember }));
const RemoveMember = lazy(async () => ({ default: (await import('./RemoveMember.tsx')).RemoveMember }));
const DeleteOrganization = lazy(async () => ({
  default: (await import('./DeleteOrganization.tsx')).DeleteOrganization,
}));
const route = getRouteApi('/$environment/boxes/organizations/$username/');

type Asking =
  | 'add'
  | 'delete'
  | { readonly change: OrganizationMember }
  | { readonly remove: OrganizationMember };

/** One organization with its members and their roles. */
function OrganizationPage() {
  const { environment, username } = route.useParams();
  usePageTitle(username);
  const navigate = useNavigate();
  const { data: organization } = useQuery(recordQuery(organizations, environment, username));
  const { data: account } = useQuery(boxAccountQuery(environment));
  const { data: owner } = useQuery(ownerQuery(environment, username));
  const [asking, setAsking] = useState<Asking>();
  const cannotManage = organization && reasonAgainstManaging(organization.may, username);
  const boxes = owner?.boxes.length ?? 0;
  const cannotDelete =
    cannotManage ??
    (boxes > 0
      ? `This organization has ${counted(boxes, 'box', 'boxes')}. Delete ${boxes === 1 ? 'it' : 'them'} first.`
      : undefined);
  const edit = (): void => {
    if (organization && cannotManage === undefined)
      void navigate({ href: `${organizationHref(environment, username)}/edit` });
  };
  const add = (): void => {
    if (organization && cannotManage === undefined) setAsking('add');
  };
  const close = (): void => {
    setAsking(undefined);
  };
  const left = (): void => {
    close();
    void navigate({ href: organizationsHref(environment), replace: true });
  };
  const group = 'Organization';
  useShortcut({ keys: 'e', label: 'Edit this organization', group, run: edit });
  useShortcut({ keys: 'c', label: 'Add a member', group, run: add });
  useShortcut({
    keys: 'u',
    label: 'Up',
    group,
    run: () => void navigate({ href: organizationsHref(environment) }),
  });
  return (
    <>
      <PageHeader
        icon={Building2}
        title={username}
        ancestors={organizationCrumbs(environment)}
        actions={
          organization && (
            <>
              <RecordButtons resource={username} name={username} group="Organization" />
              <Button
                size={28}
                icon={Trash2}
                variant="ghost"
                disabledReason={cannotDelete}
                onPress={() => {
                  setAsking('delete');
                }}
              >
                Delete
              </Button>
              <Button size={28} icon={PencilLine} shortcut="e" disabledReason={cannotManage} onPress={edit}>
                Edit
              </Button>
              <LinkButton href={ownerHref(environment, username)} size={28}>
                Boxes
              </LinkButton>
            </>
          )
        }
      />
      <OrganizationFrame environment={environment} username={username}>
        {(shown) => (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)] wide:p-6">
              <MembersCard
                organization={shown}
                self={account?.username}
                cannotManage={cannotManage}
                onAdd={add}
                onChange={(change) => {
                  setAsking({ change });
                }}
                onRemove={(remove) => {
                  setAsking({ remove });
                }}
              />
              <div className="flex min-w-0 flex-col gap-4">
                <About organization={shown} />
                <DetailCard
                  title="Details"
                  items={[
                    { label: 'Name', value: shown.username, isMono: true, copyText: shown.username },
                    { label: 'Your permissions', value: mayWords(shown.may) },
                    {
                      label: 'Boxes',
                      value: owner && (
                        <Link href={ownerHref(environment, username)}>
                          {boxes === 0 ? 'None you can see' : counted(boxes, 'box', 'boxes')}
                        </Link>
                      ),
                    },
                    { label: 'Created', value: <Time value={shown.created_time} /> },
                  ]}
                />
              </div>
            </div>
          </div>
        )}
      </OrganizationFrame>
      {organization && asking !== undefined && (
        <Suspense fallback={null}>
          {asking === 'add' && (
            <AddMember environment={environment} organization={organization} onClose={close} />
          )}
          {asking === 'delete' && (
            <DeleteOrganization
              organization={organization}
              onClose={(isGone) => {
                if (isGone) left();
                else close();
              }}
            />
          )}
          {typeof asking === 'object' && 'change' in asking && (
            <ChangeMember
              environment={environment}
              organization={organization}
              member={asking.change}
              onClose={close}
            />
          )}
          {typeof asking === 'object' && 'remove' in asking && (
            <RemoveMember
              environment={environment}
              organization={organization}
              member={asking.remove}
              isSelf={asking.remove.username === account?.username}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

function About({ organization: { profile } }: { organization: Organization }) {
  return (
    <Card title="About">
      {profile === '' ? (
        <p className="text-body text-ink-2">No description yet.</p>
      ) : (
        <Markdown text={profile} label="profile" />
      )}
    </Card>
  );
}
