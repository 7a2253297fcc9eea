import { Link } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { ownerLinks } from './BoxesMenu.tsx';

/** Owners to link. The menu has the others. */
const most = 3;

/** Says that the list has only released boxes, and links the owners whose other boxes the user may see. */
export function YourBoxes({ environment }: { environment: string }) {
  const owners = ownerLinks(environment, useQuery(boxAccountQuery(environment)).data);
  if (owners.length === 0) return null;
  return (
    <p className="flex shrink-0 flex-wrap gap-x-3 border-b border-line px-4 py-1.5 text-meta text-ink-2">
      Only released boxes are listed. Unreleased ones are in:
      {owners.slice(0, most).map(({ id, label, href }) => (
        <Link key={id} href={href}>
          Boxes of {label}
        </Link>
      ))}
      {owners.length > most && <span>and {owners.length - most} more in the Registry menu</span>}
    </p>
  );
}
