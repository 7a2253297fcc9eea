import { Drawer } from '@gatehouse/ui/drawer';
import type { ReactNode } from 'react';

/** The scope tree on narrow screens, where it doesn't fit beside the list. */
export function ScopeDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer isOpen onOpenChange={onClose} title="Scope">
      <div className="-mx-6 -my-4 flex flex-col">{children}</div>
    </Drawer>
  );
}
