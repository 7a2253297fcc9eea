import { ErrorState } from '@gatehouse/ui/error-state';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { ArrowUpFromLine, Lock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { StepPlace } from '#components/layout/StepPlace.tsx';
import { pluginHref, pluginsHref } from '#components/places/plugins.ts';
import { pluginName } from '#components/plugins/plugin-words.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { plugins, pluginsQuery } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { mountsOf } from '../../-catalog/catalog.ts';
import { nothingToUpgrade, reasonAgainst } from '../../-catalog/may.ts';
import type { Upgrade } from './upgrade-steps.ts';
import { UpgradeRun } from './UpgradeRun.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/upgrade/')({ component: UpgradePage });

const UpgradeForm = lazy(async () => ({ default: (await import('./UpgradeForm.tsx')).UpgradeForm }));
const route = getRouteApi('/$environment/plugins/$plugin/upgrade/');

/** Upgrades a plugin in one run: register, set or pin, reload, verify. */
function UpgradePage() {
  const { plugin: id } = route.useParams();
  const environment = useEnvironment();
  const query = useQuery(recordQuery(plugins, environment.id, id));
  const catalog = useQuery(pluginsQuery(environment.id));
  // Keeps the upgrade as it began, because polling changes the plugin.
  const [begun, setBegun] = useState<Upgrade>();
  const here = pluginHref(environment.id, id);
  const title = `Upgrade ${query.data === undefined ? id : pluginName(query.data)}`;
  usePageTitle(title);
  const { data: plugin } = query;
  const mounts = plugin && catalog.data && mountsOf(catalog.data.mounts, plugin);
  const reason =
    plugin === undefined || catalog.data === undefined
      ? undefined
      : (reasonAgainst(plugin.may, 'register') ??
        reasonAgainst(plugin.may, 'tune') ??
        reasonAgainst(plugin.may, 'reload') ??
        nothingToUpgrade(plugin, catalog.data.mounts) ??
        (mounts === undefined
          ? "Your policies don't let you list mounts, so which mounts to upgrade is unknown."
          : undefined));
  const back = <LinkButton href={here}>Back to the plugin</LinkButton>;
  return (
    <>
      <PageHeader
        icon={ArrowUpFromLine}
        title={title}
        ancestors={[
          { id: 'plugins', label: 'Plugins', href: pluginsHref(environment.id) },
          { id: 'plugin', label: id, href: here },
        ]}
      />
      <StepPlace
        label={begun === undefined ? 'What to upgrade' : 'Steps of the upgrade'}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {begun !== undefined ? (
          <UpgradeRun upgrade={begun} hereHref={here} />
        ) : plugin === undefined || catalog.data === undefined ? (
          <Waiting query={query.isError ? query : catalog} label="Loading the plugin" action={back} />
        ) : reason !== undefined ? (
          <ErrorState icon={Lock} title="This plugin can't be upgraded here" why={reason} action={back} />
        ) : (
          <Suspense fallback={<Waiting query={undefined} label="Loading the form" />}>
            <UpgradeForm
              known={{ plugin, catalog: catalog.data, mounts: mounts ?? [] }}
              isStale={query.isStale || catalog.isStale}
              cancelHref={here}
              onBegin={setBegun}
            />
          </Suspense>
        )}
      </StepPlace>
    </>
  );
}
