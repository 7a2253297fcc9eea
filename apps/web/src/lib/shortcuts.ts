/**
 * The registry of shortcuts, for the key handler, the tooltips and the sheet behind `?`. Keys are written as
 * for `Kbd`: `Mod+S`, `?`, and `g t` for one key after another.
 */
import { useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore, type RefObject } from 'react';

export interface Shortcut {
  /** Undefined for commands that are only in the palette. */
  readonly keys?: string;
  /** What it does, as shown in the sheet. */
  readonly label: string;
  /** Its heading in the sheet. */
  readonly group: string;
  /** Why the shortcut is disabled; shown in the palette. */
  readonly disabledReason?: string | undefined;
  readonly run: () => void;
}

/** How long to wait for the second key of a sequence, in ms. */
const sequenceMs = 1200;

let registered: readonly Shortcut[] = [];
let areSingleKeysOn = true;
const listeners = new Set<() => void>();

function change(next: readonly Shortcut[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All shortcuts of the current page. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => registered);
}

/** Registers a shortcut while the component is mounted; undefined registers none. */
export function useShortcut(shortcut: Shortcut | undefined): void {
  const run = useEffectEvent(() => {
    shortcut?.run();
  });
  const keys = shortcut?.keys;
  const isOffered = shortcut !== undefined;
  const label = shortcut?.label ?? '';
  const group = shortcut?.group ?? '';
  const disabledReason = shortcut?.disabledReason;
  useLayoutEffect(() => {
    if (!isOffered) return undefined;
    const entry: Shortcut = {
      ...(keys !== undefined && { keys }),
      label,
      group,
      disabledReason,
      run: () => {
        if (disabledReason === undefined) run();
      },
    };
    change([...registered, entry]);
    return () => {
      change(registered.filter((other) => other !== entry));
    };
  }, [isOffered, keys, label, group, disabledReason]);
}

/** Registers `/` to focus a search field. @returns the field's ref */
export function useSearchShortcut(label: string, group: string): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useShortcut({
    keys: '/',
    label,
    group,
    run: () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return input;
}

/** Handles the registered keys while mounted. @param isEnabled for single-key shortcuts */
export function useShortcutKeys(isEnabled: boolean): void {
  useLayoutEffect(() => {
    areSingleKeysOn = isEnabled;
  }, [isEnabled]);
  useLayoutEffect(() => {
    let first: { key: string; at: number } | undefined;
    // Handled before the focused field, because some fields keep every key.
    const onCommand = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (key?.startsWith('Mod+') === true) handle(key, event);
    };
    const onKey = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (key === undefined || key.startsWith('Mod+') || event.defaultPrevented) return;
      // Esc works from within fields too, to leave a form. For an editor in a shadow tree, the event's target
      // would be the tree's host.
      if (key !== 'Escape' && (!areSingleKeysOn || isTyping(event.composedPath()[0] ?? null))) return;
      handle(key, event);
    };
    const handle = (key: string, event: KeyboardEvent): void => {
      if (event.isComposing) return;
      if (isDialogOpen()) return;
      const before = first !== undefined && event.timeStamp - first.at < sequenceMs ? first.key : undefined;
      first = undefined;
      // The newest takes precedence: a form over a page.
      const match = registered.findLast(
        ({ keys }) => keys === key || (before !== undefined && keys === `${before} ${key}`),
      );
      if (match) {
        event.preventDefault();
        match.run();
      } else if (registered.some(({ keys }) => keys?.startsWith(`${key} `) === true)) {
        first = { key, at: event.timeStamp };
      }
    };
    window.addEventListener('keydown', onCommand, { capture: true });
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onCommand, { capture: true });
      window.removeEventListener('keydown', onKey);
    };
  }, []);
}

/** The key in the registry's notation; undefined for modifiers, and combinations that browsers reserve. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return undefined;
  if (ctrlKey || metaKey) return shiftKey ? `Mod+Shift+${key.toUpperCase()}` : `Mod+${key.toUpperCase()}`;
  return key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  );
}

/** Notifications also have the role of alert dialogs, but they don't block the page. */
function isDialogOpen(): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  return [...dialogs].some((dialog) => dialog.closest('[role="region"]') === null);
}
