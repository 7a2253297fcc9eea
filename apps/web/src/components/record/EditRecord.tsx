import type { IconType } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { usePolling } from '#lib/polling.ts';
import { recordQuery } from '#queries/record-life.ts';
import type { Revised } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { OnceAllowed } from './OnceAllowed.tsx';
import { reasonOf } from './record-kind.ts';
import { RecordEditor, type RecordEditorProps } from './RecordEditor.tsx';
import { useEdited } from './use-edited.ts';
import { Waiting } from './Waiting.tsx';

export interface EditRecordProps<
  Item extends Revised,
  Fields extends FieldValues,
  New,
  Changes,
  Address,
> extends Omit<
  RecordEditorProps<Item, Fields, New, Changes, Address>,
  'item' | 'own' | 'onSaved' | 'goneHref'
> {
  /** Linked if the record can't be loaded; also the destination after a deletion, without `goneHref`. */
  listHref: string;
  goneHref?: string;
  icon?: IconType;
  /** By default `Edit` and its name; the item is undefined while it is loading. */
  title?: (item: Item | undefined) => string;
  /** The tab's title, if it differs. */
  pageTitle?: (item: Item | undefined) => string;
  ancestors: readonly { id: string; label: string; href: string }[];
  /** Shown beside the title. */
  meta?: (item: Item) => ReactNode;
  /** Buttons in the header. Fields that they report as changed don't count as others' changes. */
  actions?: (item: Item, changed: (own: Partial<Fields>) => void) => ReactNode;
  /** Replaces a loading failure; by default the failure itself. */
  missing?: (error: unknown) => ReactNode;
  /** Shows the record if it can't be edited. */
  readOnly?: (item: Item, reason: string) => ReactNode;
  /** Whether the form stays open after a save. */
  stays?: boolean;
}

/** The page that edits a record: its form, guarded by the revision, with the conflict view. */
export function EditRecord<Item extends Revised, Fields extends FieldValues, New, Changes, Address>(
  props: EditRecordProps<Item, Fields, New, Changes, Address>,
) {
  // A new address starts a new edit.
  return <EditPage key={JSON.stringify(props.address)} {...props} />;
}

function EditPage<Item extends Revised, Fields extends FieldValues, New, Changes, Address>({
  icon = PencilLine,
  title: titleOf = (item) => `Edit ${item === undefined ? edit.kind.noun : edit.kind.nameOf(item)}`,
  pageTitle = titleOf,
  ancestors,
  meta,
  actions,
  missing,
  readOnly,
  stays = false,
  listHref,
  goneHref = listHref,
  ...edit
}: EditRecordProps<Item, Fields, New, Changes, Address>) {
  const { kind, address, hrefOf } = edit;
  const environment = useEnvironment();
  const query = useQuery(recordQuery(kind.calls, environment.id, address));
  const item = useEdited(query);
  const [saves, setSaves] = useState(0);
  const [own, setOwn] = useState<Partial<Fields>>();
  usePolling(recordQuery(kind.calls, environment.id, address), 15, item !== undefined);
  usePageTitle(pageTitle(item));
  return (
    <>
      <PageHeader
        icon={icon}
        title={titleOf(item)}
        ancestors={ancestors}
        meta={item && meta?.(item)}
        actions={item && actions?.(item, setOwn)}
      />
      {item === undefined ? (
        (query.isError && missing?.(query.error)) || (
          <Waiting
            query={query}
            label={`Loading the ${kind.noun}`}
            action={<LinkButton href={listHref}>Go to the list</LinkButton>}
          />
        )
      ) : (
        <OnceAllowed
          reason={reasonOf(kind, item, 'update')}
          refused={(reason) =>
            readOnly?.(item, reason) ?? (
              <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
                <p>{reason}</p>
                <LinkButton href={hrefOf(item)}>Go to the {kind.noun}</LinkButton>
              </div>
            )
          }
        >
          <RecordEditor
            key={saves}
            {...edit}
            goneHref={goneHref}
            item={item}
            own={own}
            onSaved={
              stays
                ? () => {
                    setSaves(saves + 1);
                  }
                : undefined
            }
          />
        </OnceAllowed>
      )}
    </>
  );
}
