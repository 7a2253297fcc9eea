import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { counted } from '#lib/counted.ts';
import type { Cluster } from '../-clusters/cluster.ts';
import { possibleActs, type ActName, type PossibleAct } from './possible.ts';

/** The possible actions on a cluster and their effects on data; collapsed below, the unavailable ones with reasons. */
export function PossibleActs({ cluster, onAct }: { cluster: Cluster; onAct: (act: ActName) => void }) {
  const acts = possibleActs(cluster) ?? [];
  const possible = acts.filter(({ reason }) => reason === undefined);
  const others = acts.filter(({ reason }) => reason !== undefined);
  return (
    <Card title="Actions" isFlush>
      {possible.length > 0 && <ActList label="Actions" acts={possible} onAct={onAct} />}
      {others.length > 0 && (
        // If nothing is possible, the reasons matter most.
        <details
          open={possible.length === 0 ? true : undefined}
          className="border-t border-line first:border-t-0"
        >
          <summary className="px-4 py-2 text-meta text-ink-2">
            {counted(others.length, possible.length > 0 ? 'more action' : 'action')} unavailable now
          </summary>
          <ActList label="Unavailable now" acts={others} onAct={onAct} />
        </details>
      )}
    </Card>
  );
}

function ActList({
  label: listLabel,
  acts,
  onAct,
}: {
  label: string;
  acts: readonly PossibleAct[];
  onAct: (act: ActName) => void;
}) {
  return (
    <ul aria-label={listLabel}>
      {acts.map(({ act, label, data, reason }) => (
        <li
          key={act}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-b-0"
        >
          <span className="narrow:w-48">
            <Button
              size={28}
              disabledReason={reason}
              onPress={() => {
                onAct(act);
              }}
            >
              {label}
            </Button>
          </span>
          <p className="min-w-0 flex-1 basis-56 text-meta text-ink-2">{reason ?? data}</p>
        </li>
      ))}
    </ul>
  );
}
