import type { IconType } from '@gatehouse/ui/icon';
import { PageHeader } from '@gatehouse/ui/page-header';
import { Plus } from 'lucide-react';
import type { FieldValues } from 'react-hook-form';
import type { Revised } from '#queries/records.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { NewRecordForm, type NewRecordFormProps } from './NewRecordForm.tsx';

export interface NewRecordProps<
  Item extends Revised,
  Values extends FieldValues,
  New,
> extends NewRecordFormProps<Item, Values, New> {
  icon?: IconType;
  /** `New host set` by default. */
  title?: string;
  ancestors: readonly { id: string; label: string; href: string }[];
}

/** The page that creates a record. */
export function NewRecord<Item extends Revised, Values extends FieldValues, New>({
  icon = Plus,
  title,
  ancestors,
  ...form
}: NewRecordProps<Item, Values, New>) {
  const words = title ?? `New ${form.kind.noun}`;
  usePageTitle(words);
  return (
    <>
      <PageHeader icon={icon} title={words} ancestors={ancestors} />
      <NewRecordForm {...form} />
    </>
  );
}
