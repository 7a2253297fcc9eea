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
    <Card title="What can be done here" isFlush>
      <ul aria-label="What can be done here">
        {sorted.map(({ act, label, data, reason }) => (
          <li key={act} className="flex items-start gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="text-body font-medium text-ink-1">{label}</p>
              <p className="text-meta text-ink-2">{reason ?? data}</p>
            </div>
            <Button
              size={28}
              disabledReason={reason}
              aria-label={label}
              onPress={() => {
                onAct(act);
              }}
            >
              {verbs[act]}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const verbs: Readonly<Record<ActName, string>> = {
  'enable-primary': 'Enable',
  'add-secondary': 'Add',
  'become-secondary': 'Choose',
  'create-token': 'Create',
  'write-canary': 'Write',
  demote: 'Demote',
  promote: 'Promote',
  'update-primary': 'Change',
  disable: 'Disable',
};
