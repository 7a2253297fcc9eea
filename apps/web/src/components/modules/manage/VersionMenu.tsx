import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { MenuButton } from '@gatehouse/ui/menu';
import { useNavigate } from '@tanstack/react-router';
import { Ban, MessageSquareWarning, PencilLine, RotateCcw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { moduleHref, modulesHref } from '#components/places/modules.ts';
import { reasonAgainstManaging, reasonAgainstPublishing } from './may.ts';

const DeprecateVersion = lazy(async () => ({
  default: (await import('./DeprecateVersion.tsx')).DeprecateVersion,
}));
const RestoreVersion = lazy(async () => ({ default: (await import('./RestoreVersion.tsx')).RestoreVersion }));
const DeleteModuleVersion = lazy(async () => ({
  default: (await import('./DeleteModuleVersion.tsx')).DeleteModuleVersion,
}));

type Asking = 'deprecated' | 'revoked' | 'restore' | 'delete';

export interface ManageProps {
  environment: string;
  module: Module;
  version: ModuleVersion;
}

/** What can be done with a version of a module, with the dialogs that ask. */
export function VersionMenu({ environment, module, version }: ManageProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const { namespace, name, provider, may } = module;
  const place = { environment, namespace, name, provider, version: version.version };
  const cannotPublish = reasonAgainstPublishing(may);
  const state = version.deprecation?.state;
  const ask = (what: Asking) => (): void => {
    setAsking(what);
  };
  const close = (isGone: boolean): void => {
    setAsking(undefined);
    if (!isGone) return;
    const isLast = module.versions.every((other) => other.version === version.version);
    void navigate({ href: isLast ? modulesHref(environment) : moduleHref(place), replace: true });
  };
  const dialog = { place, version, onClose: close };
  return (
    <>
      <MenuButton
        label={`Manage ${version.version}`}
        size={28}
        placement="bottom end"
        items={[
          ...(state === undefined
            ? []
            : [
                {
                  id: 'edit',
                  label: 'Edit what is said of it',
                  icon: PencilLine,
                  disabledReason: cannotPublish,
                  onAction: ask(state),
                },
                {
                  id: 'restore',
                  label: 'Restore',
                  icon: RotateCcw,
                  disabledReason: cannotPublish,
                  onAction: ask('restore'),
                },
              ]),
          ...(state === 'deprecated'
            ? []
            : [
                {
                  id: 'deprecate',
                  label: state === 'revoked' ? 'Deprecate only' : 'Deprecate',
                  icon: MessageSquareWarning,
                  disabledReason: cannotPublish,
                  onAction: ask('deprecated'),
                },
              ]),
          ...(state === 'revoked'
            ? []
            : [
                {
                  id: 'revoke',
                  label: 'Revoke',
                  icon: Ban,
                  isDanger: true,
                  disabledReason: cannotPublish,
                  onAction: ask('revoked'),
                },
              ]),
          'separator',
          {
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            isDanger: true,
            disabledReason: reasonAgainstManaging(may),
            onAction: ask('delete'),
          },
        ]}
      />
      {asking !== undefined && (
        <Suspense fallback={null}>
          {(asking === 'deprecated' || asking === 'revoked') && (
            <DeprecateVersion {...dialog} module={module} state={asking} />
          )}
          {asking === 'restore' && <RestoreVersion {...dialog} />}
          {asking === 'delete' && <DeleteModuleVersion {...dialog} module={module} />}
        </Suspense>
      )}
    </>
  );
}
