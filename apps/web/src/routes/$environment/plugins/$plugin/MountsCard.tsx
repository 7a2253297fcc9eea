import type { Plugin, PluginMount } from '@gatehouse/api-types/console/plugins';
import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { MenuButton } from '@gatehouse/ui/menu';
import { RotateCw, SlidersHorizontal } from 'lucide-react';
import { newsWords, shortHash } from '#components/plugins/plugin-words.ts';
import { counted } from '#lib/counted.ts';
import { useMountActs } from '../-actions/use-mount-acts.tsx';
import { isAlwaysMounted, isNamedByConnections, mountNews, type Catalog } from '../-catalog/catalog.ts';
import { reasonAgainst } from '../-catalog/may.ts';

/** The mounts that run a registration, with their set, pinned and running versions. */
export function MountsCard({ plugin, catalog }: { plugin: Plugin; catalog: Catalog | undefined }) {
  const { mounts } = plugin;
  const acts = useMountActs(plugin);
  return (
    <>
      <Card
        title={
          mounts === null || mounts.length === 0 ? 'Used by' : `Used by ${counted(mounts.length, 'mount')}`
        }
        isFlush
        footer="Versions and hashes are from the node that responded. Each node runs its own copy of the plugin."
      >
        {(mounts === null || mounts.length === 0) && (
          <p className="p-4 text-body text-ink-2">{withoutMounts(plugin)}</p>
        )}
        <ul aria-label="Mounts">
          {mounts?.map((mount) => (
            <li
              key={mount.path}
              className="flex items-start gap-2 border-b border-line px-4 py-2 last:border-b-0"
            >
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium text-ink-1 wrap-anywhere">{mount.path}</span>
                  {catalog !== undefined && <NewsBadge mount={mount} catalog={catalog} />}
                </p>
                <p className="text-meta text-ink-2 wrap-anywhere">{linesOf(mount, plugin.pinned_version)}</p>
              </div>
              <MenuButton
                label={`Actions for ${mount.path}`}
                isOverflow
                size={28}
                placement="bottom end"
                items={[
                  {
                    id: 'reload',
                    label: 'Reload',
                    icon: RotateCw,
                    disabledReason: reasonAgainst(plugin.may, 'reload'),
                    onAction: () => {
                      acts.reload(mount);
                    },
                  },
                  {
                    id: 'set',
                    label: plugin.version === '' ? 'Set to this plugin' : `Set to ${plugin.version}`,
                    icon: SlidersHorizontal,
                    disabledReason:
                      reasonAgainst(plugin.may, 'tune') ??
                      (plugin.version === '' || plugin.builtin
                        ? 'A mount can only be set to a registered version.'
                        : mount.configured_version === plugin.version
                          ? 'The mount is already set to this version.'
                          : undefined),
                    onAction: () => {
                      acts.tune(mount, plugin.version);
                    },
                  },
                  {
                    id: 'follow',
                    label: "Use the catalog's default",
                    disabledReason:
                      reasonAgainst(plugin.may, 'tune') ??
                      (mount.configured_version === ''
                        ? "The mount already uses the catalog's default."
                        : undefined),
                    onAction: () => {
                      acts.tune(mount, '');
                    },
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      </Card>
      {acts.question}
    </>
  );
}

/** Why no mounts are listed. */
function withoutMounts(plugin: Plugin): string {
  if (isNamedByConnections(plugin))
    return "The server doesn't report which database connections use this plugin.";
  if (plugin.mounts === null) {
    return "Your policies don't let you list mounts, so which mounts use this plugin is unknown.";
  }
  return isAlwaysMounted(plugin)
    ? 'Every server mounts this plugin automatically.'
    : 'No mount in this namespace runs this plugin.';
}

function NewsBadge({ mount, catalog }: { mount: PluginMount; catalog: Catalog }) {
  const { word, tone } = newsWords[mountNews(mount, catalog)];
  return <Badge tone={tone}>{word}</Badge>;
}

function linesOf(mount: PluginMount, pinned: string | null): string {
  const { configured_version: set, running_version: runs, running_sha256: hash, description } = mount;
  return [
    set === '' ? 'No version set' : `Set to ${set}`,
    pinned !== null && pinned !== '' && `pinned ${pinned}`,
    runs === '' ? 'running version not reported' : `runs ${runs}`,
    hash !== '' && `binary ${shortHash(hash)}`,
    description !== '' && description,
  ]
    .filter(Boolean)
    .join(' · ');
}
