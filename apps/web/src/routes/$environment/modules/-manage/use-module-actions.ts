import type { Module } from '@gatehouse/api-types/console/modules';
import type { MenuAction } from '@gatehouse/ui/menu';
import { toasts } from '@gatehouse/ui/toast';
import { BadgeCheck, BadgeX, Copy, PackagePlus } from 'lucide-react';
import { publishModuleHref } from '#components/places/modules.ts';
import { isApiError } from '#lib/api-error.ts';
import { copyText } from '#lib/copy-text.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useVerifyModule } from '#queries/module-changes.ts';
import { reasonAgainstManaging, reasonAgainstPublishing } from './may.ts';

/** The actions on a whole module, as menu entries. */
export function useModuleActions(environment: string, module: Module): readonly MenuAction[] {
  const { namespace, name, provider, verified, may, address } = module;
  const verify = useVerifyModule({ environment, namespace, name, provider });
  const tag = `${namespace}/${name}/${provider}`;
  const set = (revision: string, wanted: boolean, isUndo: boolean): void => {
    verify.mutateAsync({ revision, verified: wanted }).then(
      (saved) => {
        toasts.ok({
          title: wanted ? `${tag} is verified` : `${tag} is no longer verified`,
          ...(!isUndo && {
            action: {
              label: 'Undo',
              onPress: () => {
                set(saved.revision, !wanted, true);
              },
            },
          }),
        });
      },
      (error: unknown) => {
        const { title, detail, requestId } = wordsOf(error);
        if (isApiError(error, 'conflict')) {
          toasts.warn({
            title: wanted ? 'Not verified' : 'Verification not withdrawn',
            detail: `${tag} has changed since you opened it. Check it before you decide.`,
          });
        } else toasts.danger({ title, detail, ...(requestId !== undefined && { requestId }) });
      },
    );
  };
  return [
    {
      id: 'publish',
      label: 'Publish a version',
      icon: PackagePlus,
      disabledReason: reasonAgainstPublishing(may),
      href: publishModuleHref(environment, module),
    },
    {
      id: 'copy',
      label: 'Copy address',
      icon: Copy,
      onAction: () => void copyText(address, 'Address'),
    },
    {
      id: 'verify',
      label: verified ? 'Withdraw verification' : 'Verify',
      ...(!verified && { detail: 'Mark this module as checked by you' }),
      icon: verified ? BadgeX : BadgeCheck,
      disabledReason:
        reasonAgainstManaging(may) ?? (verify.isPending ? 'A change is in progress.' : undefined),
      onAction: () => {
        set(module.revision, !verified, false);
      },
    },
  ];
}
