import { readDuration } from '@gatehouse/api-types/console/read-duration';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { TextField } from '@gatehouse/ui/text-field';
import { useState, type FormEvent } from 'react';
import { TokenOnce } from '#components/credentials/TokenOnce.tsx';
import { Time } from '#components/environment/Time.tsx';
import { useSecretsClient } from '#components/form/secrets-client.ts';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { createActivationToken } from '#queries/replication.ts';
import type { Place } from '../-clusters/cluster.ts';

interface Created {
  readonly token: string;
  readonly encrypted: boolean;
  readonly expire_time: string | null;
}

/** Creates an activation token for a cluster outside the console, and shows it once. */
export function ActivationToken({ place, onClose }: { place: Place; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  return created === undefined ? (
    <TokenForm place={place} onCreated={setCreated} onClose={onClose} />
  ) : (
    <TokenOnce
      token={created.token}
      title="Activation token created"
      warning={
        created.encrypted
          ? 'Only the cluster whose public key it was created for can use this token.'
          : 'The first cluster to use this token receives all replicated data.'
      }
      facts={[
        { label: 'Uses', value: 'Once' },
        {
          label: 'Expires',
          value: created.expire_time === null ? 'Unknown' : <Time value={created.expire_time} />,
        },
      ]}
      onClose={onClose}
    >
      <p className="text-body text-ink-2">
        Enabling a cluster as a secondary with this token deletes all data on that cluster. An existing
        secondary can use the token to change its primary, and keeps its data.
      </p>
    </TokenOnce>
  );
}

function TokenForm({
  place,
  onCreated,
  onClose,
}: {
  place: Place;
  onCreated: (created: Created) => void;
  onClose: () => void;
}) {
  const { command } = useSecretsClient();
  const [values, setValues] = useState({ id: '', ttl: '30m', secondary_public_key: '' });
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const { problems, form, refuse, refuseAnswer, clear } = useFieldProblems<HTMLDivElement>();
  const write = (name: keyof typeof values) => (text: string) => {
    setValues({ ...values, [name]: text });
    clear(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    const { id, ttl, secondary_public_key: key } = values;
    const seconds = readDuration(ttl);
    const wrong = {
      ...(id.trim() === '' && { id: 'Enter an identifier.' }),
      ...((seconds === undefined || seconds <= 0) && { ttl: 'Enter a duration such as 30m or 1h.' }),
    };
    if (refuse(wrong)) return;
    setPending(true);
    setError(undefined);
    createActivationToken(place.id, {
      id: id.trim(),
      ttl: ttl.trim(),
      ...(key.trim() !== '' && { secondary_public_key: key.trim() }),
    }).then(onCreated, (failure: unknown) => {
      setPending(false);
      if (isApiError(failure, 'confirmation-required')) return;
      const fields = isApiError(failure, 'invalid-request') ? (failure.problem?.fields ?? []) : [];
      if (!refuseAnswer(Object.fromEntries(fields.map(({ path, message }) => [path, message]))))
        setError(failure);
    });
  };
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!isPending) onClose();
      }}
      title="Create an activation token"
      description={`For a cluster that isn't an environment of this console. The token works once. The cluster that uses it receives everything that ${place.name} replicates. Creating a token is recorded in Activity.`}
      size="small"
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Create token
          </Button>
        </>
      }
    >
      <div ref={form} className="flex flex-col gap-4">
        <TextField
          label="Identifier"
          description="This primary's name for the secondary. Used to revoke the secondary."
          isMono
          isRequired
          autoFocus
          autoComplete="off"
          spellCheck="false"
          value={values.id}
          onChange={write('id')}
          error={problems['id']}
        />
        <TextField
          label="TTL"
          description="How long the token is valid."
          isMono
          isRequired
          autoComplete="off"
          value={values.ttl}
          onChange={write('ttl')}
          error={problems['ttl']}
        />
        <TextField
          label="Public key of the secondary"
          description={`Encrypts the token, so that only this secondary can use it. To create the key, run this command on the secondary: ${command} write -f sys/replication/performance/secondary/generate-public-key`}
          isMono
          autoComplete="off"
          spellCheck="false"
          value={values.secondary_public_key}
          onChange={write('secondary_public_key')}
          error={problems['secondary_public_key']}
        />
        {error !== undefined && (
          <Banner tone="danger" title={wordsOf(error).title}>
            {wordsOf(error).detail} {wordsOf(error).mend}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
