import { personLimits } from '@gatehouse/api-types/console/people';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { PasswordField } from '@gatehouse/ui/password-field';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useChangeOwnPassword } from '#queries/people.ts';

type FieldName = 'current' | 'next' | 'again';

/** Changes the user's own password. The new one is entered twice. */
export function ChangeOwnPassword({ environment, onClose }: { environment: string; onClose: () => void }) {
  const change = useChangeOwnPassword(environment);
  const [typed, setTyped] = useState<Record<FieldName, string>>({ current: '', next: '', again: '' });
  const [wasTried, setTried] = useState(false);
  const { error } = change;
  const problems: Partial<Record<FieldName, string>> = {
    ...(typed.current === '' && { current: 'Enter the current password.' }),
    ...(typed.next.length < personLimits.minPassword && {
      next: `The password must be at least ${String(personLimits.minPassword)} characters.`,
    }),
    ...(typed.next !== typed.again && { again: "The new passwords don't match." }),
  };
  const refused = refusedBy(error);
  const isElsewhere = error !== null && refused.current === undefined && refused.next === undefined;

  const field = (name: FieldName, label: string) => ({
    label,
    name,
    value: typed[name],
    isRequired: true,
    error: (wasTried ? problems[name] : undefined) ?? refused[name],
    onChange: (text: string): void => {
      setTyped({ ...typed, [name]: text });
      if (error !== null) change.reset();
    },
  });

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Change your password"
      description="Ends your other sessions that use this password. This session continues."
      size="small"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const form = event.currentTarget;
        const focus = (name: string): void =>
          form.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
        const [first] = Object.keys(problems);
        if (first !== undefined) {
          focus(first);
          return;
        }
        change.mutate(
          { current: typed.current, next: typed.next },
          {
            onSuccess: () => {
              toasts.ok({ title: 'Password changed' });
              onClose();
            },
            onError: (refusal) => {
              focus(refusedBy(refusal).current === undefined ? 'next' : 'current');
            },
          },
        );
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            Change password
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <PasswordField {...field('current', 'Current password')} autoComplete="current-password" autoFocus />
        <PasswordField
          {...field('next', 'New password')}
          autoComplete="new-password"
          description={`At least ${String(personLimits.minPassword)} characters.`}
        />
        <PasswordField {...field('again', 'Repeat new password')} autoComplete="new-password" />
        {isElsewhere && (
          <Banner tone="danger" title={wordsOf(error).title}>
            {wordsOf(error).detail} {wordsOf(error).mend}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

/** What the service says of each field. */
function refusedBy(error: unknown): Partial<Record<FieldName, string | undefined>> {
  const said = (path: string): string | undefined =>
    isApiError(error, 'invalid-request')
      ? error.problem?.fields?.find((field) => field.path === path)?.message
      : undefined;
  return {
    current: isApiError(error, 'sign-in-failed')
      ? "This isn't the current password."
      : said('current_password'),
    next: said('new_password'),
  };
}
