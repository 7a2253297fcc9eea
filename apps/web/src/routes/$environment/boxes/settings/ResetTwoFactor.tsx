import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLadder } from '#components/guards/use-ladder.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { boxAccountQuery, useResetTwoFactor } from '#queries/box-accounts.ts';
import { usePersonChoices } from '../-editing/use-person-choices.ts';

const ownAccount =
  'This is your account. Remove its second factor under Tokens and second factor, or ask another administrator.';

/** Removes the second factor of a user who lost it, after asking for the user's name. */
export function ResetTwoFactor({
  environment,
  of,
  onClose,
}: {
  environment: string;
  /** The login name, if already chosen. */
  of: string | undefined;
  onClose: () => void;
}) {
  const { data: account } = useQuery(boxAccountQuery(environment));
  const isOwn = (name: string) => name.toLowerCase() === account?.username.toLowerCase();
  const choices = usePersonChoices(environment, (name) => !isOwn(name));
  const [error, setError] = useState<string>();
  const [person, setPerson] = useState(of);
  if (person !== undefined && !isOwn(person))
    return <Confirm environment={environment} person={person} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      size="small"
      title="Reset a second factor"
      onSubmit={(event) => {
        event.preventDefault();
        if (choices.name === '') setError('Enter a login name.');
        else setPerson(choices.name);
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Continue
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ComboBox
          label="Login name"
          description="The user who lost their authenticator."
          isRequired
          isMono
          autoFocus
          {...choices.field}
          error={person === undefined ? error : ownAccount}
        />
        <Banner tone="info" title="Verify who is asking" announce="none">
          After the second factor is removed, anyone who knows the account's password can publish as that
          user.
        </Banner>
      </div>
    </Dialog>
  );
}

function Confirm({
  environment,
  person,
  onClose,
}: {
  environment: string;
  person: string;
  onClose: () => void;
}) {
  const reset = useResetTwoFactor(environment);
  const { asks } = useLadder(at.boxTwoFactor.reset.harm, person);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!reset.isPending) onClose();
      }}
      title={`Remove the second factor of ${person}?`}
      confirmLabel="Remove second factor"
      {...asks}
      isPending={reset.isPending}
      errorTitle={failureTitle(reset.error)}
      error={
        reset.error === null
          ? undefined
          : isApiError(reset.error, 'not-found')
            ? `${person} has no second factor, or no account in the box registry.`
            : wordsOf(reset.error).detail
      }
      impacts={[
        { kind: 'breaks', text: 'Their authenticator and sent codes stop working.' },
        {
          kind: 'worth-knowing',
          text: 'Until they set up a new second factor, they sign in with only their password.',
        },
        { kind: 'updates-itself', text: 'Their tokens and boxes are unchanged.' },
      ]}
      onConfirm={() => {
        reset.mutate(person, {
          onSuccess: () => {
            toasts.ok({ title: `Second factor of ${person} removed` });
            onClose();
          },
        });
      }}
    />
  );
}
