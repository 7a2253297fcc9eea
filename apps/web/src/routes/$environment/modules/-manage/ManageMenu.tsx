import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { lazy } from '@gatehouse/ui/lazy';
import { MenuButton, type MenuAction } from '@gatehouse/ui/menu';
import { useNavigate } from '@tanstack/react-router';
import { Ban, MessageSquareWarning, PencilLine, RotateCcw, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { moduleHref, modulesHref } from '#components/places/modules.ts';
import { deprecationWords } from '#routes/$environment/modules/deprecation-words.ts';
import { reasonAgainstManaging, reasonAgainstPublishing } from './may.ts';
import { useModuleActions } from './use-module-actions.ts';

const DeprecateVersion = lazy(async () => ({
  default: (await import('./DeprecateVersion.tsx')).DeprecateVersion,
}));
const RestoreVersion = lazy(async () => ({ default: (await import('./RestoreVersion.tsx')).RestoreVersion }));
const DeleteModuleVersion = lazy(async () => ({
  default: (await import('./DeleteModuleVersion.tsx')).DeleteModuleVersion,
}));

type Asking = 'deprecated' | 'revoked' | 'restore' | 'delete';

/** The actions on a module and its shown version, with their dialogs. */
export function ManageMenu({
  environment,
  module,
  version,
}: {
  environment: string;
  module: Module;
  version: ModuleVersion;
}) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const { namespace, name, provider, may } = module;
  const place = { environment, namespace, name, provider, version: version.version };
  const cannotPublish = reasonAgainstPublishing(may);
  const state = version.deprecation?.state;
  const moduleActions = useModuleActions(environment, module);
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
  const versionActions: readonly MenuAction[] = [
    ...(state === undefined
      ? []
      : [
          {
            id: 'edit',
            label: `Edit ${deprecationWords[state].noun}`,
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
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      disabledReason: reasonAgainstManaging(may),
      onAction: ask('delete'),
    },
  ];
  return (
    <>
      <MenuButton
        label={`Actions for ${namespace}/${name}/${provider} ${version.version}`}
        isOverflow
        size={28}
        placement="bottom end"
        items={[
          { label: `Version ${version.version}`, items: versionActions },
          'separator',
          { label: 'Module', items: moduleActions },
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
