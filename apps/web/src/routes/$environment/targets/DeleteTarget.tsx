import type { Target } from '@gatehouse/api-types/console/targets';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { targetKind } from './target-kind.ts';

/** Asks before a target is deleted. */
export function DeleteTarget({ item, onClose }: { item: Target; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  return (
    <DeleteRecord
      kind={targetKind}
      address={item.id}
      item={item}
      impacts={[{ kind: 'breaks', text: 'Nobody can open sessions to it any more.' }]}
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
