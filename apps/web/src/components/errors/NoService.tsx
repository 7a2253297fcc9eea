import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { Unplug } from 'lucide-react';
import { serviceLabels } from '#lib/error-words.ts';
import { hasService } from '#lib/has-service.ts';
import { useEnvironment, useSession } from '../environment/use-environment.ts';
import { usePageTitle } from '../environment/use-page-title.ts';

/** For a screen whose service this environment lacks: links to the environments that have it. */
export function NoService({ service, screen }: { service: ServiceName; screen: string }) {
  const environment = useEnvironment();
  const others = useSession().environments.filter((other) => hasService(other, service));
  const label = serviceLabels[service].toLowerCase();
  const title = `${environment.name} has no ${label}`;
  usePageTitle(title);
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <ErrorState
        icon={Unplug}
        title={title}
        why={
          others.length === 0
            ? 'No other environment in this console has one either. An administrator of the console can add one to the configuration.'
            : 'Open this screen in an environment that has one.'
        }
        action={
          <>
            {others.map(({ id, name }) => (
              <LinkButton key={id} href={`/${id}/${screen}`}>
                Open it in {name}
              </LinkButton>
            ))}
            <LinkButton href={`/${environment.id}`}>Go to the overview</LinkButton>
          </>
        }
      />
    </>
  );
}
