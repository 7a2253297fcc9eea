import { Dialog } from '../dialog/Dialog.tsx';
import { Kbd } from '../kbd/Kbd.tsx';
import { Switch } from '../switch/Switch.tsx';

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly { keys: string; label: string }[];
}

export interface ShortcutSheetProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** From the shortcut registry, this page's own first. */
  groups: readonly ShortcutGroup[];
  /** Lets the user switch off single-key shortcuts (WCAG 2.1.4). */
  isEnabled: boolean;
  onEnabledChange: (isEnabled: boolean) => void;
}

/** A list of the shortcuts available on this page. */
export function ShortcutSheet({
  isOpen,
  onOpenChange,
  groups,
  isEnabled,
  onEnabledChange,
}: ShortcutSheetProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="large" isDismissable>
      <div className="flex flex-col gap-4 text-body">
        <Switch
          isSelected={isEnabled}
          onChange={onEnabledChange}
          description="When off, only Tab, Enter, Esc and the arrow keys act."
        >
          Use shortcuts
        </Switch>
        <div className="columns-1 gap-8 narrow:columns-2">
          {groups.map((group) => (
            <section key={group.title} aria-label={group.title} className="mb-4 break-inside-avoid">
              <h3 className="border-b border-line pb-1 font-mono text-caps text-ink-2 uppercase">
                {group.title}
              </h3>
              <dl>
                {group.shortcuts.map(({ keys, label }) => (
                  <div
                    key={`${keys} ${label}`}
                    className="flex min-h-8 items-center justify-between gap-4 border-b border-line"
                  >
                    <dt>{label}</dt>
                    <dd className="shrink-0">
                      <Kbd keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
