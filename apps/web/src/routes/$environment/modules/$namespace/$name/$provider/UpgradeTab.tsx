import { ComboBox } from '@gatehouse/ui/combo-box';
import { IconButton } from '@gatehouse/ui/icon-button';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { moduleHref } from '#components/places/modules.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { moduleVersionQuery } from '#queries/modules.ts';
import { UpgradeDiff } from '#routes/$environment/modules/-upgrade/UpgradeDiff.tsx';
import { versionBefore, type ShownModule } from './shown-module.ts';

/** What an upgrade to this version changes. */
export function UpgradeTab({ shown: { place, module, version, folder, search } }: { shown: ShownModule }) {
  const navigate = useNavigate();
  const from = search.compare ?? versionBefore(module, version.version);
  const query = useQuery({ ...moduleVersionQuery(place, from ?? ''), enabled: from !== undefined });
  const others = module.versions
    .map((choice) => choice.version)
    .filter((number) => number !== version.version);
  if (others.length === 0)
    return <p className="py-2 text-body text-ink-2">No other version to compare with.</p>;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-48">
          <ComboBox
            label="Upgrade from"
            size={28}
            options={others.map((number) => ({ id: number, label: number }))}
            value={from ?? null}
            placeholder="Choose a version"
            onChange={(chosen) => {
              if (chosen !== null && chosen !== from)
                void navigate({ href: moduleHref(place, { ...search, compare: chosen }) });
            }}
          />
        </div>
        <span className="flex h-7 items-center text-body text-ink-2">
          to <span className="ms-1 font-medium text-ink-1">{version.version}</span>
        </span>
        {from !== undefined && (
          <IconButton
            icon={ArrowLeftRight}
            label="Swap versions"
            onPress={() =>
              void navigate({
                href: moduleHref(place, { ...search, version: from, compare: version.version }),
              })
            }
          />
        )}
      </div>
      {from === undefined ? (
        <p className="text-body text-ink-2">
          This is the oldest version. Choose another version to compare it with.
        </p>
      ) : query.data === undefined ? (
        <Waiting query={query} label={`Loading version ${from}`} />
      ) : (
        <UpgradeDiff
          key={`${from} ${version.version} ${folder?.path ?? ''}`}
          from={query.data.content}
          to={version.content}
          usage={{
            label: module.name,
            address: module.address,
            submodule: folder?.path ?? '',
            fromVersion: from,
            toVersion: version.version,
          }}
        />
      )}
    </div>
  );
}
