import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';

/** Whether root credentials are configured, in words; empty where that is not known. */
function rootWords({ configured }: CloudEngine): string {
  return configured === null ? '' : configured ? 'Configured' : 'Not configured';
}

export const engineColumns: readonly GridColumn<CloudEngine>[] = [
  { id: 'mount', header: 'Engine', value: ({ mount }) => mount, width: 200, isRowHeader: true },
  {
    id: 'root',
    header: 'Root credentials',
    value: rootWords,
    cell: (engine) =>
      engine.configured === null ? null : (
        <Badge tone={engine.configured ? 'ok' : 'warn'}>{rootWords(engine)}</Badge>
      ),
    width: 160,
  },
  { id: 'plugin', header: 'Plugin', value: ({ plugin }) => plugin, width: 200 },
  { id: 'version', header: 'Running version', value: ({ running_version: version }) => version, width: 200 },
  { id: 'description', header: 'Description', value: ({ description }) => description, width: 320 },
];
