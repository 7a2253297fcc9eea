import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { nameOrId } from '#components/record/record-kind.ts';
import { sourceDetail } from '#components/source/credential-types.ts';
import { RetirePage } from '#components/source/RetirePage.tsx';
import { credentialChoicesQuery } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import type { RecordReads, StoredRecord } from '#queries/records.ts';
import { credentialKinds } from '#queries/target-sources.ts';
import { useStoreCrumbs } from './use-store.ts';

export interface RetireSourceProps<Item extends StoredRecord> {
  noun: string;
  calls: RecordReads<Item>;
  store: string;
  id: string;
  hereHref: string;
}

/** Replaces a credential or library by another, target by target. */
export function RetireSource<
  Item extends StoredRecord & { readonly name: string; readonly scope: { readonly id: string } },
>({ noun, calls, store, id, hereHref }: RetireSourceProps<Item>) {
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  const source = useQuery(recordQuery(calls, environment.id, id));
  const scope = source.data?.scope.id;
  const [search, setSearch] = useState('');
  const choices = useQuery({
    ...credentialChoicesQuery(environment.id, scope ?? '', search),
    enabled: scope !== undefined,
    placeholderData: (previous) => previous,
  });
  return (
    <RetirePage
      noun={noun}
      kinds={credentialKinds}
      source={source.data && { id, name: nameOrId(source.data), scope: source.data.scope.id }}
      failure={source.error}
      onRetry={() => void source.refetch()}
      ancestors={ancestors}
      hereHref={hereHref}
      search={search}
      onSearch={setSearch}
      isSearching={choices.isFetching}
      choices={(choices.data?.items ?? [])
        .filter((choice) => choice.id !== id)
        .map((choice) => ({ id: choice.id, label: nameOrId(choice), detail: sourceDetail(choice) }))}
    />
  );
}
