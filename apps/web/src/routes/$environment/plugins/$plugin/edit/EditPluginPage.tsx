import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { pluginHref, pluginsHref } from '#components/places/plugins.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { pluginKind } from '../../-editing/plugin-kind.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/edit/')({ component: EditPluginPage });

const route = getRouteApi('/$environment/plugins/$plugin/edit/');

/** Edits a registration. */
function EditPluginPage() {
  const { plugin: id } = route.useParams();
  const environment = useEnvironment();
  const listHref = pluginsHref(environment.id);
  const here = pluginHref(environment.id, id);
  return (
    <EditRecord
      kind={pluginKind}
      address={id}
      ancestors={[
        { id: 'plugins', label: 'Plugins', href: listHref },
        { id: 'plugin', label: id, href: here },
      ]}
      hrefOf={() => here}
      listHref={listHref}
      goneHref={listHref}
    />
  );
}
