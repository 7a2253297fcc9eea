import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { losingTargets } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { engineKind } from '../../-metadata/metadata-kinds.tsx';

const lost: readonly Impact[] = [
  {
    kind: 'breaks',
    text: 'All its secrets are deleted, with all their versions, also those in the recycle bin.',
  },
  { kind: 'breaks', text: 'Programs that read them will find nothing.' },
];

/** Says what is lost with an engine, then unmounts it. */
export function UnmountEngine({ engine, onClose }: { engine: SecretEngine; onClose: () => void }) {
  const { mount } = engine;
  const environment = useEnvironment();
  const navigate = useNavigate();
  const reading = useTargetsReading({ environment: environment.id, mount });
  return (
    <DeleteRecord
      kind={{ ...engineKind, noun: 'engine', nameOf: () => mount }}
      address={mount}
      item={engine}
      title={`Unmount engine ${mount}?`}
      confirmLabel="Unmount engine"
      anywayLabel="Unmount it anyway"
      doneWords={`Engine ${mount} unmounted`}
      impacts={reading === undefined ? undefined : [...losingTargets(reading, 'this engine'), ...lost]}
      remark="This can't be undone."
      onClose={(isGone) => {
        onClose();
        if (isGone) void navigate({ to: '/$environment/secrets', params: { environment: environment.id } });
      }}
    >
      <p>
        <span className="font-mono text-meta">{mount}</span> in {environment.name}.
      </p>
    </DeleteRecord>
  );
}
