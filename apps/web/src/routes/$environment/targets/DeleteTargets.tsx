import type { Environment } from '@gatehouse/api-types/console/session';
import type { Target } from '@gatehouse/api-types/console/targets';
import { useQueryClient } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { ConfirmMany } from '#components/record/ConfirmMany.tsx';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { forgetTargets, targets as targetCalls } from '#queries/access.ts';
import { useDeleteRecord } from '#queries/record-life.ts';
import { targetKind } from './target-kind.ts';

export interface DeleteTargetsProps {
  environment: Environment;
  targets: readonly Target[];
  /** Called with the IDs of deleted targets. */
  onClose: (gone: readonly string[]) => void;
}

/** Asks before deleting one or more targets. Targets that others changed in the meantime need another confirmation. */
export function DeleteTargets(props: DeleteTargetsProps) {
  const { targets, onClose } = props;
  const [one, another] = targets;
  if (one === undefined) return null;
  return another === undefined ? (
    <DeleteTarget
      item={one}
      onClose={(isGone) => {
        onClose(isGone ? [one.id] : []);
      }}
    />
  ) : (
    <DeleteMany {...props} />
  );
}

/** Asks before deleting one target. */
export function DeleteTarget({ item, onClose }: { item: Target; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  return (
    <DeleteRecord
      kind={targetKind}
      address={item.id}
      item={item}
      impacts={[
        { kind: 'breaks', text: 'Live sessions on it end immediately, and no new ones can be opened.' },
      ]}
      onClose={onClose}
    >
      <p>
        <span className="font-mono text-meta">{item.id}</span> in {environment.name}
        {item.address !== '' && (
          <>
            , at <span className="font-mono text-meta">{item.address}</span>
          </>
        )}
        .
      </p>
    </DeleteRecord>
  );
}

function DeleteMany({ environment, targets, onClose }: DeleteTargetsProps) {
  const remove = useDeleteRecord<Target, string>(targetCalls, environment.id);
  const queryClient = useQueryClient();
  const count = targets.length;
  const { asks } = useLadder(targetCalls.remove.harm, `delete ${String(count)}`, count);
  return (
    <ConfirmMany
      items={targets}
      nameOf={({ name }) => name}
      label={`Delete ${count.toLocaleString('en')} targets`}
      progressLabel="Deleting"
      again="delete anyway"
      doneTitle={(gone) => `${gone.toLocaleString('en')} targets deleted`}
      asks={asks}
      impacts={[
        { kind: 'breaks', text: 'Live sessions on them end immediately, and no new ones can be opened.' },
        { kind: 'worth-knowing', text: "This can't be undone. A new target gets a new ID." },
      ]}
      act={({ id }, revision) => remove.mutateAsync({ address: id, revision })}
      onGone={(id) => {
        forgetTargets(queryClient, environment.id, [id]);
      }}
      onClose={onClose}
    />
  );
}
