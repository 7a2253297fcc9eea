import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { Button } from '@gatehouse/ui/button';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
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

/** Unmounts an engine, after saying what is lost with it. */
export function UnmountEngine({ engine }: { engine: SecretEngine }) {
  const { mount, may } = engine;
  const environment = useEnvironment();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const reading = useTargetsReading({ environment: environment.id, mount }, isAsking);
  return (
    <>
      <Button
        size={28}
        disabledReason={
          may?.unmount === false ? "Your policies don't let you unmount this engine." : undefined
        }
        onPress={() => {
          setAsking(true);
        }}
      >
        Unmount
      </Button>
      {isAsking && (
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
            setAsking(false);
            if (isGone)
              void navigate({ to: '/$environment/secrets', params: { environment: environment.id } });
          }}
        >
          <p>
            <span className="font-mono text-meta">{mount}</span> in {environment.name}.
          </p>
        </DeleteRecord>
      )}
    </>
  );
}
