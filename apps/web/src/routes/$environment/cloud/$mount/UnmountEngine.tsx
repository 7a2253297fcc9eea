import * as at from '@gatehouse/api-types/console/addresses/cloud';
import { cloudEngine, type CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { cloudHref } from '#components/places/cloud.ts';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import type { ComparedKind } from '#components/record/record-kind.ts';
import { losingTargets } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { useUnmountEngine } from '#queries/cloud.ts';

/** Compares what an engine at the same mount may differ in. */
const engineKind: ComparedKind<CloudEngine, { readonly plugin: string; readonly description: string }> = {
  schema: cloudEngine,
  fieldsOf: ({ plugin, description }) => ({ plugin, description }),
  formOf: () => ({
    noun: 'engine',
    schema: z.object({ plugin: z.string(), description: z.string() }),
    policy: record({ plugin: scalar, description: scalar }),
    sections: [
      {
        title: 'Engine',
        fields: [
          { path: 'plugin', label: 'Plugin', input: { kind: 'text' } },
          { path: 'description', label: 'Description', input: { kind: 'text' } },
        ],
      },
    ],
  }),
};

const lost: readonly Impact[] = [
  {
    kind: 'breaks',
    text: 'Its leases are revoked: IAM users that it created are deleted with their keys. Temporary credentials (STS) stay valid until they expire.',
  },
  { kind: 'breaks', text: 'Its roles and root credentials are deleted. Requests for credentials fail.' },
  {
    kind: 'worth-knowing',
    text: "If the provider can't be reached, the engine stays mounted until its leases are revoked.",
  },
  { kind: 'worth-knowing', text: "This can't be undone." },
];

/** Says what is lost with a cloud credentials engine, then unmounts it. */
export function UnmountEngine({
  environment,
  engine,
  onClose,
}: {
  environment: string;
  engine: CloudEngine;
  onClose: () => void;
}) {
  const { mount } = engine;
  const navigate = useNavigate();
  const unmount = useUnmountEngine({ environment, mount });
  const reading = useTargetsReading({ environment, mount });
  const gone = (): void => {
    toasts.ok({ title: `Engine ${mount} unmounted` });
    onClose();
    void navigate({ href: cloudHref(environment, true) });
  };
  return (
    <ConfirmRecord
      kind={engineKind}
      item={engine}
      title={`Unmount engine ${mount}?`}
      confirmLabel="Unmount engine"
      anywayLabel="Unmount it anyway"
      harm={at.cloudEngines.unmount.harm}
      typedName={mount}
      impacts={[...(reading === undefined ? [] : losingTargets(reading, 'this engine')), ...lost]}
      isLookingUp={reading === undefined}
      act={(revision) => unmount.mutateAsync(revision)}
      onDone={gone}
      onGone={gone}
      onCancel={onClose}
    />
  );
}
