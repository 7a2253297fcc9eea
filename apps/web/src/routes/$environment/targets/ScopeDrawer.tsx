import { Drawer } from '@gatehouse/ui/drawer';
import type { ReactNode } from 'react';

/** The tree of scopes where it has no place beside the list. */
export function ScopeDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer isOpen onOpenChange={onClose} title="Scope">
      <div className="-mx-6 -my-4 flex flex-col">{children}</div>
    </Drawer>
  );
}
