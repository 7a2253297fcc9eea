import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { KeyRound, PackagePlus } from 'lucide-react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { modulesHref, moduleTokensHref } from '#components/places/modules.ts';
import { publishSearch } from './publish-search.ts';
import { PublishForm } from './PublishForm.tsx';

export const Route = createFileRoute('/$environment/modules/publish/')({
  validateSearch: publishSearch.parse,
  component: PublishPage,
});

const route = getRouteApi('/$environment/modules/publish/');

/** Publishes a version of a module after showing its content. */
function PublishPage() {
  const environment = useEnvironment();
  // The router keeps parameters that don't match the schema; parsing drops them.
  const search = publishSearch.parse(route.useSearch());
  usePageTitle('Publish a module');
  return (
    <>
      <PageHeader
        icon={PackagePlus}
        title="Publish a module"
        ancestors={[{ id: 'modules', label: 'Modules', href: modulesHref(environment.id) }]}
        actions={
          <LinkButton href={moduleTokensHref(environment.id)} size={28} variant="ghost" icon={KeyRound}>
            Tokens
          </LinkButton>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <PublishForm key={Object.values(search).join('/')} environment={environment.id} given={search} />
      </div>
    </>
  );
}
