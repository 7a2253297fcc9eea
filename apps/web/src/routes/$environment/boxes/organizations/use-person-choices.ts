import type { ComboBoxProps } from '@gatehouse/ui/combo-box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { peopleQuery } from '../../../../queries/people.ts';

type OfField = 'options' | 'value' | 'valueLabel' | 'onSearch' | 'onChange' | 'isPending' | 'emptyText';

/** Somebody who is looked for by login name or full name. */
export interface PersonChoices {
  /** What is chosen, or typed; empty while there is nothing. */
  readonly name: string;
  /** For the field where it is chosen. */
  readonly field: Pick<ComboBoxProps, OfField>;
}

/**
 * People to choose from: those that the access controller tells, where the person may see them, and any name that is typed.
 * @param isOffered whether somebody is one to offer, by login name
 */
export function usePersonChoices(
  environment: string,
  isOffered: (loginName: string) => boolean = () => true,
): PersonChoices {
  const people = useQuery({ ...peopleQuery(environment), retry: false });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = typed.trim();
  const isTold = wanted === '' || wanted === chosen;
  const options = (people.data ?? [])
    .filter(({ login_name: name, roles }) => roles?.boxes !== null && isOffered(name))
    .map(({ login_name: name, full_name: full }) => ({ id: name, label: name, detail: full }))
    .filter(
      ({ label, detail }) => isTold || `${label} ${detail}`.toLowerCase().includes(wanted.toLowerCase()),
    );
  const isKnown = options.some(({ id }) => id === wanted);
  return {
    name: chosen ?? wanted,
    field: {
      options:
        wanted === '' || isKnown ? options : [...options, { id: wanted, label: wanted, detail: 'As typed' }],
      value: chosen,
      ...(chosen !== null && { valueLabel: chosen }),
      onSearch: (text) => {
        setTyped(text);
        // What is written is about somebody else now.
        if (chosen !== null && text !== chosen) setChosen(null);
      },
      onChange: setChosen,
      isPending: people.isLoading,
      emptyText: 'Type the login name of the person.',
    },
  };
}
