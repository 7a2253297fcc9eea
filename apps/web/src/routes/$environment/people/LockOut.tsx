import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Person } from '@gatehouse/api-types/console/people';
import type { Environment } from '@gatehouse/api-types/console/session';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { personName } from '#components/people/person-words.ts';
import { call } from '#lib/api.ts';
import { sentencesOf, wordsOf } from '#lib/error-words.ts';
import { hasService } from '#lib/has-service.ts';
import { peopleQuery } from '#queries/people.ts';
import { connectionsQuery } from '#queries/session.ts';
import { reasonAgainst } from './may.ts';

/** An environment in which the person may have an account. */
interface Place {
  readonly environment: Environment;
  /** The account with the person's login name, if it can be locked out. */
  readonly account?: Person;
  readonly words: string;
  /** Whether they have an account here, as far as we know. */
  readonly isTheirs: boolean;
  /** Reads the accounts again; absent if they were read. */
  readonly retry?: () => void;
}

/** The outcome in one environment. */
interface Outcome {
  readonly isDone: boolean;
  readonly words: string;
}

/** Asks before locking a person out of every environment that you are connected to, and reports each outcome. */
export function LockOut({ person, onClose }: { person: Person; onClose: () => void }) {
  const queryClient = useQueryClient();
  const here = useEnvironment();
  const { places, unconnected, isLoading } = usePlaces(person);
  const { asks } = useLadder(at.people.lockOut.harm, person.login_name);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isPending, setPending] = useState(false);
  const name = personName(person);
  const reachable = places.filter(({ account }) => account !== undefined);
  const left = reachable.filter(({ environment }) => outcomes.get(environment.id)?.isDone !== true);
  const isDone = reachable.length > 0 && left.length === 0;
  const theirs = places.filter(({ isTheirs }) => isTheirs).length + unconnected.length;
  const run = async (): Promise<void> => {
    setPending(true);
    for (const { environment, account } of left) {
      if (account === undefined) continue;
      const outcome = await lockOut(environment.id, account.id);
      setOutcomes((known) => new Map(known).set(environment.id, outcome));
      void queryClient.invalidateQueries({ queryKey: [environment.id, 'access'] });
      void queryClient.invalidateQueries({ queryKey: [environment.id, 'activity'] });
    }
    setPending(false);
  };
  const list = (
    <KeyValueList
      items={places.map(({ environment, words, retry }) => ({
        label: environment.name,
        value: (
          <>
            {outcomes.get(environment.id)?.words ?? words}
            {retry !== undefined && (
              <Button size={28} variant="ghost" onPress={retry}>
                Read again
              </Button>
            )}
          </>
        ),
      }))}
    />
  );
  // Where the accounts are the same, disabling one disables the other.
  const disabledToo = unconnected.filter(({ id }) => here.accounts.includes(id));
  const unconnectedNames = new Intl.ListFormat('en').format(unconnected.map((one) => one.name));
  const elsewhere =
    unconnected.length === 0
      ? undefined
      : `You aren't connected to the access controller of ${unconnectedNames}. ${
          disabledToo.length === unconnected.length
            ? "The account there is the same, so they can't sign in. To cancel open sessions on targets there too, connect and lock them out again."
            : 'Connect there and lock them out again.'
        }`;
  if (isDone) {
    const done = reachable.length + disabledToo.length;
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title={
          theirs === done
            ? `${name} is locked out`
            : `${name} is locked out of ${done} of ${theirs} environments`
        }
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        {list}
        {elsewhere !== undefined && <p className="mt-3">{elsewhere}</p>}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !isPending) onClose();
      }}
      title={`Lock out ${name}?`}
      confirmLabel={outcomes.size === 0 ? 'Lock out' : 'Retry'}
      impacts={[
        {
          kind: 'breaks',
          text: "They are signed out of the console and can't sign in. Their open sessions on targets are canceled, their moves pause, and deliveries of their images stop.",
        },
        {
          kind: 'breaks',
          text: 'Their tokens at the services with these accounts become invalid, and their leases are revoked.',
        },
        {
          kind: 'worth-knowing',
          text: "Services that have their own accounts aren't affected, except that a secrets server's tokens of this login name are revoked if you are allowed to. Disable the accounts there too.",
        },
        ...(elsewhere === undefined ? [] : [{ kind: 'worth-knowing' as const, text: elsewhere }]),
      ]}
      {...asks}
      isPending={isPending}
      error={
        isLoading || reachable.length > 0
          ? undefined
          : `No account named ${person.login_name} can be locked out.`
      }
      onConfirm={() => {
        if (!isLoading && reachable.length > 0) void run();
      }}
    >
      <p className="mb-2">
        Locking out disables the account <span className="font-mono text-meta">{person.login_name}</span> in:
      </p>
      {list}
    </ConfirmDialog>
  );
}

/** The environments with an access controller, this one first. */
function usePlaces(person: Person): {
  readonly places: readonly Place[];
  readonly unconnected: readonly Environment[];
  readonly isLoading: boolean;
} {
  const here = useEnvironment();
  const { environments } = useSession();
  const { data: connections } = useQuery(connectionsQuery);
  const all = [here, ...environments.filter(({ id }) => id !== here.id)]
    .filter((one) => hasService(one, 'access'))
    .map((environment) => ({
      environment,
      own: connections?.find(
        (one) => one.environment === environment.id && one.service === 'access' && one.state === 'connected',
      )?.account,
    }));
  const connected = all.filter(({ own }) => own != null);
  const lists = useQueries({ queries: connected.map(({ environment }) => peopleQuery(environment.id)) });
  const places = connected.map(({ environment, own }, index): Place => {
    const list = lists[index];
    const unread = { environment, isTheirs: true };
    if (list?.data === undefined) {
      return list?.isError === true && !list.isFetching
        ? { ...unread, words: `Not read. ${wordsOf(list.error).detail}`, retry: () => void list.refetch() }
        : { ...unread, words: 'Looking for the account' };
    }
    const account = list.data.find(({ login_name: login }) => login === person.login_name);
    if (account === undefined)
      return { environment, isTheirs: false, words: 'No account with this login name' };
    if (account.id === own?.id)
      return { environment, isTheirs: false, words: "This is your own account, which you can't lock out" };
    const reason = reasonAgainst(account, 'update');
    if (reason !== undefined) return { environment, isTheirs: true, words: reason };
    const name = personName(account);
    const words = [
      account.disabled ? 'Already disabled' : 'Enabled now',
      // Accounts are found by login name, which may be another person's in another environment.
      ...(name === personName(person) ? [] : [`named ${name} there`]),
    ];
    return { environment, isTheirs: true, account, words: words.join(', ') };
  });
  return {
    places,
    unconnected: all.filter(({ own }) => own == null).map(({ environment }) => environment),
    isLoading: connections === undefined || lists.some(({ isPending }) => isPending),
  };
}

/** Locks a person out of an environment, by their ID there. This can be repeated. */
async function lockOut(environment: string, id: string): Promise<Outcome> {
  try {
    const { steps } = await call(at.people.lockOut, { params: { environment, id } });
    const isDone = steps.every((step) => step.is_done);
    const words = steps.map((step) => step.words).join(' ');
    return { isDone, words: `${isDone ? 'Locked out.' : 'Disabled.'} ${words}` };
  } catch (error) {
    return { isDone: false, words: `Not locked out. ${sentencesOf(error)}` };
  }
}
