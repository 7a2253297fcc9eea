import { Card } from '@gatehouse/ui/card';
import { KeyValueList, type KeyValue } from '@gatehouse/ui/key-value-list';
import { Link } from '@gatehouse/ui/link';
import { useState, type ReactNode } from 'react';
import { Time } from '../environment/Time.tsx';
import { ShowMore } from '../list/ShowMore.tsx';

/** Names and values of a record under a title. */
export function DetailCard({
  title,
  items,
  actions,
}: {
  title: string;
  items: readonly KeyValue[];
  actions?: ReactNode;
}) {
  return (
    <Card title={title} {...(actions !== undefined && { actions })}>
      <div className="-my-2">
        <KeyValueList items={items} />
      </div>
    </Card>
  );
}

/** The cards of a record, side by side if there is space. */
export function DetailCards({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-2 wide:p-6">
        {children}
      </div>
    </div>
  );
}

/** Fields of every record of the access controller. */
export function recordItems(item: {
  readonly id: string;
  readonly description: string;
  readonly revision: string;
  readonly created_time: string;
  readonly updated_time: string;
  readonly scope: { readonly id: string; readonly name: string };
}): readonly KeyValue[] {
  return [
    { label: 'Description', value: item.description },
    { label: 'ID', value: item.id, isMono: true, copyText: item.id },
    { label: 'Project', value: item.scope.name || item.scope.id },
    { label: 'Project ID', value: item.scope.id, isMono: true, copyText: item.scope.id },
    { label: 'Version', value: item.revision },
    { label: 'Created', value: <Time value={item.created_time} /> },
    { label: 'Updated', value: <Time value={item.updated_time} /> },
  ];
}

/** A record's name, and the fields of every record of the access controller. */
export function IdentityCard({
  item,
}: {
  item: Parameters<typeof recordItems>[0] & { readonly name: string };
}) {
  return <DetailCard title="Identity" items={[{ label: 'Name', value: item.name }, ...recordItems(item)]} />;
}

/** Related records: a linked name with the ID beside it. */
export function LinkedRecords({
  label,
  items,
  limit = 100,
}: {
  label: string;
  items: readonly { id: string; name: string; href: string; detail?: ReactNode }[];
  /** The number shown at first. */
  limit?: number;
}) {
  const [shown, setShown] = useState(limit);
  return (
    <>
      <ul aria-label={label} className="flex flex-col">
        {items.slice(0, shown).map(({ id, name, href, detail }) => (
          <li
            key={id}
            className="flex min-h-8 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1 last:border-b-0"
          >
            <Link href={href}>{name}</Link>
            {name !== id && <span className="font-mono text-meta text-ink-3">{id}</span>}
            {detail !== undefined && <span className="ms-auto text-meta text-ink-2">{detail}</span>}
          </li>
        ))}
      </ul>
      <ShowMore
        left={items.length - shown}
        noun="more record"
        onPress={() => {
          setShown(shown + 100);
        }}
      />
    </>
  );
}
