import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import type { Cluster } from '../-clusters/cluster.ts';
import { possibleActs, type ActName } from './possible.ts';

/** Everything that is ever done with a cluster: what it does to data, and why what can't be done can't. */
export function PossibleActs({ cluster, onAct }: { cluster: Cluster; onAct: (act: ActName) => void }) {
  const acts = possibleActs(cluster) ?? [];
  const sorted = [
    ...acts.filter(({ reason }) => reason === undefined),
    ...acts.filter(({ reason }) => reason !== undefined),
  ];
  return (
    <Card title="Actions" isFlush>
      <ul aria-label="Actions">
        {sorted.map(({ act, label, data, reason }) => (
          <li
            key={act}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-b-0"
          >
            <p className="min-w-0 flex-1 basis-56 text-meta text-ink-2">{reason ?? data}</p>
            <Button
              size={28}
              disabledReason={reason}
              onPress={() => {
                onAct(act);
              }}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
