import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ComboBox, type OptionItem } from '@gatehouse/ui/combo-box';
import { Drawer } from '@gatehouse/ui/drawer';
import { IconButton } from '@gatehouse/ui/icon-button';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, RotateCcw } from 'lucide-react';
import { Failure } from '#components/errors/Failure.tsx';
import { fullName } from '#components/places/secrets.ts';
import { secretQuery, type SecretPlace } from '#queries/secrets.ts';
import { Comparison } from './Comparison.tsx';
import { reasonAgainstRestoring } from './version-reasons.ts';
import type { VersionRow } from './version-rows.ts';
import { isReadable, versionStateWords } from './version-words.ts';

export interface ComparePanelProps {
  place: SecretPlace;
  from: number;
  to: number;
  rows: readonly VersionRow[];
  may: SecretMay | null;
  onChoose: (from: number, to: number) => void;
  onRestore: (row: VersionRow) => void;
  onClose: () => void;
}

/** Two versions side by side: field names at once, values when you reveal them. */
export function ComparePanel({
  place,
  from,
  to,
  rows,
  may,
  onChoose,
  onRestore,
  onClose,
}: ComparePanelProps) {
  const [before, after] = [from, to].map((wanted) => rows.find(({ version }) => version === wanted));
  const options: readonly OptionItem[] = rows.map((row) => ({
    id: String(row.version),
    label: `Version ${String(row.version)}`,
    ...(row.isCurrent && { detail: 'Current' }),
    ...(!isReadable(row) && {
      disabledReason: `${versionStateWords[row.state].word}: no values can be read.`,
    }),
  }));
  return (
    <Drawer
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      size="large"
      title={`Version ${String(from)} and version ${String(to)}`}
      description={<span className="font-mono">{fullName(place)}</span>}
      footer={
        before && (
          <Button
            icon={RotateCcw}
            disabledReason={reasonAgainstRestoring(before, may)}
            onPress={() => {
              onRestore(before);
            }}
          >
            Restore version {from}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <ComboBox
              label="Before"
              size={28}
              options={options}
              value={String(from)}
              onChange={(id) => {
                if (id !== null) onChoose(Number(id), to);
              }}
            />
          </div>
          <IconButton
            icon={ArrowLeftRight}
            label="Swap versions"
            onPress={() => {
              onChoose(to, from);
            }}
          />
          <div className="min-w-0 flex-1">
            <ComboBox
              label="After"
              size={28}
              options={options}
              value={String(to)}
              onChange={(id) => {
                if (id !== null) onChoose(from, Number(id));
              }}
            />
          </div>
        </div>
        <Sides
          key={`${String(from)} ${String(to)}`}
          place={place}
          from={from}
          to={to}
          before={before}
          after={after}
          may={may}
        />
      </div>
    </Drawer>
  );
}

function Sides({
  place,
  from,
  to,
  before,
  after,
  may,
}: {
  place: SecretPlace;
  from: number;
  to: number;
  before: VersionRow | undefined;
  after: VersionRow | undefined;
  may: SecretMay | null;
}) {
  const queries = [useQuery(secretQuery(place, from)), useQuery(secretQuery(place, to))] as const;
  const failed = queries.find(({ isError }) => isError);
  if (from === to) return <Banner tone="info" title="Both are the same version" announce="none" />;
  for (const [number, row] of [
    [from, before],
    [to, after],
  ] as const) {
    if (row === undefined) {
      return (
        <Banner tone="warn" title={`Version ${String(number)} is no longer stored`} announce="none">
          This version was removed when newer versions were created. Choose another version.
        </Banner>
      );
    }
    if (!isReadable(row)) {
      return (
        <Banner tone="warn" title={`Version ${String(number)} is ${row.state}`} announce="none">
          {row.state === 'deleted'
            ? 'Undelete this version to compare it, or choose another version.'
            : 'Its values are permanently deleted. Choose another version.'}
        </Banner>
      );
    }
  }
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  const [old, current] = queries.map(({ data }) => data);
  if (!old || !current) return <SkeletonList label="Loading the versions" lines={5} />;
  return (
    <Comparison
      place={place}
      from={from}
      to={to}
      structures={[old.version?.structure ?? null, current.version?.structure ?? null]}
      may={may}
    />
  );
}
