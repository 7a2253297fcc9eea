import { MemberPicker, type PickedMember } from '@gatehouse/ui/member-picker';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, type Ref } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import type { Choice, MembersInput } from './record-form.ts';

export interface MembersFieldProps {
  label: string;
  description?: string;
  error?: string | undefined;
  disabledReason: string | undefined;
  input: MembersInput;
  value: readonly string[];
  stored: readonly string[];
  onChange: (value: string[]) => void;
  onBlur: () => void;
  inputRef: Ref<HTMLInputElement>;
}

/** A set's picker with its search. */
export function MembersField({ input, ...rest }: MembersFieldProps) {
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search.trim());
  const { queryKey, queryFn } = input.search(text);
  const query = useQuery({ queryKey, queryFn, placeholderData: keepPreviousData, staleTime: 10_000 });
  const inWords = (choice: Choice): PickedMember => {
    const href = input.hrefOf?.(choice.value);
    return {
      id: choice.value,
      label: choice.label,
      ...(choice.description !== undefined && { detail: choice.description }),
      ...(href !== undefined && { href }),
    };
  };
  const known = new Map(query.data?.choices.map((choice) => [choice.value, choice]));
  return (
    <MemberPicker
      {...rest}
      noun={input.noun}
      member={(id) => inWords(known.get(id) ?? input.member(id))}
      search={search}
      onSearch={setSearch}
      found={(query.data?.choices ?? []).map(inWords)}
      hasMore={query.data?.more ?? false}
      isPending={query.isFetching || text !== search.trim()}
      {...(query.isError && { failure: `Search failed. ${wordsOf(query.error).detail}` })}
      emptyText={input.emptyText}
    />
  );
}
