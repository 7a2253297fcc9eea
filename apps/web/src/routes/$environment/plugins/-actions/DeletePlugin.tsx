import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { pluginName } from '#components/plugins/plugin-words.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { pluginsQuery } from '#queries/plugins.ts';
import { pluginKind } from '../-editing/plugin-kind.tsx';
import { deletionImpacts } from './deletion-impacts.ts';

/** Asks before deleting a registration, and shows the mounts that would break. */
export function DeletePlugin({ item, onClose }: { item: Plugin; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  const catalog = useQuery(pluginsQuery(environment.id));
  return (
    <DeleteRecord
      kind={pluginKind}
      address={item.id}
      item={item}
      doneWords={`${pluginName(item)} deleted`}
      typedName={item.id}
      impacts={catalog.isPending ? undefined : deletionImpacts(item, catalog.data)}
      remark="The binary stays in the plugin directory. To undo this, register the plugin again, including its environment entries."
      onClose={onClose}
    >
      <p>
        <span className="font-mono text-meta wrap-anywhere">{item.id}</span> in {environment.name}.
      </p>
    </DeleteRecord>
  );
}
