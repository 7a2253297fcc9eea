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

/** Somebody who is looked for by login name or full name. */
export interface PersonChoices {
  /** The login name that is chosen or typed; empty while there is nothing. */
  readonly name: string;
  /** For the field where it is chosen. */
  readonly field: Pick<ComboBoxProps, OfField>;
}

/**
 * People to choose from: those that the access controller tells, where the person may see them; any other name can be
 * typed.
 * @param isOffered whether somebody is one to offer, by login name
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
