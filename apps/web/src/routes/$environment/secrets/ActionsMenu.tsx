import { MenuButton, type MenuEntry } from '@gatehouse/ui/menu';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { SecretPlace } from '#queries/secrets.ts';
import type { Action } from './secret-action.ts';

export interface ActionsMenuProps<Subject> {
  label: string;
  place: SecretPlace;
  subject: Subject;
  actions: readonly Action<Subject>[];
  /** The page's own entries, before the others. */
  first?: readonly MenuEntry[];
}

/** A menu of actions on a secret or folder, with the dialog of the chosen action. */
export function ActionsMenu<Subject>({
  label,
  place,
  subject,
  actions,
  first = [],
}: ActionsMenuProps<Subject>) {
  const navigate = useNavigate();
  // Keeps the subject as you saw it, because polling changes it in the background.
  const [chosen, setChosen] = useState<{ readonly action: Action<Subject>; readonly subject: Subject }>();
  const entries: MenuEntry[] = [...first];
  for (const [index, action] of actions.entries()) {
    const { id, label: words, icon, isDanger, reasonAgainst, hrefOf } = action;
    if (entries.length > 0 && actions[index - 1]?.group !== action.group) entries.push('separator');
    entries.push({
      id,
      label: words,
      icon,
      ...(isDanger === true && { isDanger }),
      disabledReason: reasonAgainst?.(subject, place),
      ...(hrefOf === undefined
        ? {
            onAction: () => {
              setChosen({ action, subject });
            },
          }
        : { href: hrefOf(place) }),
    });
  }
  const Dialog = chosen?.action.Dialog;
  if (entries.length === 0) return null;
  return (
    <>
      <MenuButton label={label} isOverflow size={28} placement="bottom end" items={entries} />
      {Dialog && (
        <Suspense fallback={null}>
          <Dialog
            place={place}
            subject={chosen.subject}
            onClose={(goTo) => {
              setChosen(undefined);
              if (goTo !== undefined) void navigate({ href: goTo, replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
