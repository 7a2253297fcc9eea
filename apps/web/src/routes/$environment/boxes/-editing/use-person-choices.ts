import type { ComboBoxProps } from '@gatehouse/ui/combo-box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { hasService } from '#lib/has-service.ts';
import { peopleQuery } from '#queries/people.ts';

type OfField =
  | 'options'
  | 'value'
  | 'allowsCustomValue'
  | 'onSearch'
  | 'onChange'
  | 'isPending'
  | 'emptyText';

/** Searches people by login name or full name. */
export interface PersonChoices {
  /** The chosen or typed login name; empty if none. */
  readonly name: string;
  /** The props of its field. */
  readonly field: Pick<ComboBoxProps, OfField>;
}

/**
 * Offers the access controller's users if you may list them. Any other name can be typed.
 * @param isOffered whether to offer a user, by login name
 */
export function usePersonChoices(
  environment: string,
  isOffered: (loginName: string) => boolean = () => true,
): PersonChoices {
  const people = useQuery({
    ...peopleQuery(environment),
    retry: false,
    enabled: hasService(useEnvironment(), 'access'),
  });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const name = typed.trim();
  const wanted = name === chosen ? '' : name.toLowerCase();
  return {
    name,
    field: {
      options: (people.data ?? [])
        .filter(({ login_name: login, roles }) => roles?.boxes !== null && isOffered(login))
        .filter(({ login_name: login, full_name: full }) => `${login} ${full}`.toLowerCase().includes(wanted))
        .map(({ login_name: login, full_name: full }) => ({ id: login, label: login, detail: full })),
      value: chosen,
      allowsCustomValue: true,
      onSearch: setTyped,
      onChange: setChosen,
      isPending: people.isLoading,
      emptyText: "No suggestions. Enter the user's login name.",
    },
  };
}
