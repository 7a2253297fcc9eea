import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { PasswordField } from '@gatehouse/ui/password-field';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useCreateModuleToken } from '#queries/module-changes.ts';
import { ModuleTokenOnce } from './ModuleTokenOnce.tsx';

/** Creates a token, and shows it once. */
export function NewToken({ environment, onClose }: { environment: string; onClose: () => void }) {
  const create = useCreateModuleToken(environment);
  const { problems, form, refuse, refuseAnswer } = useFieldProblems<HTMLDivElement>();
  const [description, setDescription] = useState('');
  const [password, setPassword] = useState('');
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <ModuleTokenOnce environment={environment} token={made} onClose={onClose} />;
  const submit = (): void => {
    if (create.isPending) return;
    const found = {
      ...(description.trim() === '' && {
        description: 'Describe what the token is for. It identifies the client in module downloads.',
      }),
      ...(password === '' && { password: 'Enter your password.' }),
    };
    if (refuse(found)) return;
    create.mutate(
      { description: description.trim(), password },
      {
        onSuccess: ({ token }) => {
          setPassword('');
          setMade(token);
        },
        onError: (error) => {
          if (isApiError(error, 'sign-in-failed')) refuseAnswer({ password: 'This password is wrong.' });
        },
      },
    );
  };
  const failure =
    create.error !== null && !isApiError(create.error, 'sign-in-failed') ? wordsOf(create.error) : undefined;
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!create.isPending) onClose();
      }}
      size="small"
      title="New token"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <div ref={form} className="flex flex-col gap-4">
        <TextField
          label="Description"
          description="The client that uses the token. Module downloads are recorded under this name."
          placeholder="CI runner"
          isRequired
          autoFocus
          autoComplete="off"
          maxLength={256}
          value={description}
          onChange={setDescription}
          error={problems['description']}
        />
        <PasswordField
          label="Password"
          description="The module registry requires your account's password."
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={problems['password']}
        />
        {failure !== undefined && (
          <Banner tone="danger" title={failure.title}>
            {failure.detail}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
