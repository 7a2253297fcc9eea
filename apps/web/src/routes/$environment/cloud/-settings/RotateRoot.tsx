import * as at from '@gatehouse/api-types/console/addresses/cloud';
import type { CloudRoot } from '@gatehouse/api-types/console/cloud-engines';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useRotateRoot, type EnginePlace } from '#queries/cloud.ts';
import { rootKind } from './settings-kinds.tsx';

interface Rotated {
  readonly access_key: string;
  readonly previous_access_key: string;
  readonly warnings: readonly string[];
}

/** Asks before rotating the root credentials' key, and reports what was left behind. */
export function RotateRoot({
  place,
  root,
  onClose,
  onRotated,
}: {
  place: EnginePlace;
  root: CloudRoot;
  onClose: () => void;
  /** Called with the new key as soon as it exists. */
  onRotated: (rotated: Pick<Rotated, 'access_key'>) => void;
}) {
  const rotate = useRotateRoot(place);
  const [done, setDone] = useState<Rotated>();
  if (done !== undefined) return <WhatWasDone rotated={done} onClose={onClose} />;
  const { mount, access_key: key } = root;
  return (
    <ConfirmRecord
      kind={rootKind}
      item={root}
      title={`Rotate the root credentials of ${mount}?`}
      confirmLabel="Rotate root credentials"
      anywayLabel="Rotate them anyway"
      harm={at.cloudEngines.rotateRoot.harm}
      typedName={mount}
      impacts={[
        {
          kind: 'breaks',
          text: `${key} is deleted at the provider. Anything else that uses it stops working.`,
        },
        {
          kind: 'worth-knowing',
          text: `${key} must be its user's only access key. If the user has a second one, the rotation fails and nothing changes.`,
        },
        {
          kind: 'worth-knowing',
          text: 'The new secret key is never shown. Only the server keeps it.',
        },
        {
          kind: 'worth-knowing',
          text: 'Requests may fail for a few seconds afterwards, until the new key is active everywhere.',
        },
      ]}
      act={() => rotate.mutateAsync()}
      onDone={(rotated) => {
        setDone(rotated);
        onRotated({ access_key: rotated.access_key });
      }}
      onGone={() => {
        toasts.warn({ title: 'Not rotated', detail: `The engine ${mount} no longer exists.` });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>The server has the provider create a new key for the same user, then deletes the previous one.</p>
    </ConfirmRecord>
  );
}

function WhatWasDone({
  rotated: { access_key: key, previous_access_key: before, warnings },
  onClose,
}: {
  rotated: Rotated;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Root credentials rotated"
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <KeyValueList
          items={[
            { label: 'New access key', value: key, isMono: true, copyText: key },
            { label: 'Previous access key', value: before, isMono: true, copyText: before },
          ]}
        />
        {warnings.length > 0 && (
          <Banner tone="warn" title="Cleanup incomplete">
            <ul className="flex list-disc flex-col gap-1 ps-5">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </Banner>
        )}
        <p className="text-body text-ink-2">
          {warnings.length === 0 && 'The previous key was deleted at the provider. '}Requests may fail for a
          few seconds, until the new key is active everywhere.
        </p>
      </div>
    </Dialog>
  );
}
