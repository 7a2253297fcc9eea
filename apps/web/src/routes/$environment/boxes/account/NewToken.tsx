import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Button } from '@gatehouse/ui/button';
import { CodeBlock } from '@gatehouse/ui/code';
import { Dialog } from '@gatehouse/ui/dialog';
import { maskedText } from '@gatehouse/ui/secret-value';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { TokenOnce } from '#components/credentials/TokenOnce.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { shellWord } from '#components/form/as-code.ts';
import { useCreateBoxToken } from '#queries/box-accounts.ts';
import { SecretFields } from './SecretFields.tsx';
import { useSecretForm } from './use-secret-form.ts';

/** Creates a token, and shows it once. */
export function NewToken({ account, onClose }: { account: BoxAccount; onClose: () => void }) {
  const environment = useEnvironment();
  const create = useCreateBoxToken(environment.id);
  const form = useSecretForm();
  const [description, setDescription] = useState('');
  const [made, setMade] = useState<string>();
  if (made !== undefined) {
    return (
      <TokenOnce token={made} onClose={onClose}>
        <CodeBlock
          label="Shell"
          code={environmentLines(account, maskedText)}
          copyText={environmentLines(account, shellWord(made))}
          isSecret
          isWrapped
        />
      </TokenOnce>
    );
  }
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
        const given = form.read();
        if (given === undefined || create.isPending) return;
        create.mutate(
          { ...given, description: description.trim() },
          {
            onSuccess: ({ token }) => {
              setMade(token);
            },
            onError: form.refuse,
          },
        );
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
      <div className="flex flex-col gap-4">
        <TextField
          label="Description"
          description="The client that will use the token, so that you can recognize the token later."
          placeholder="CI runner"
          autoFocus
          maxLength={200}
          value={description}
          onChange={setDescription}
        />
        <SecretFields form={form} environment={environment.id} username={account.username} />
      </div>
    </Dialog>
  );
}

function environmentLines({ server_url: server }: BoxAccount, token: string): string {
  return [
    ...(server === null ? [] : [`export VAGRANT_SERVER_URL=${shellWord(server)}`]),
    `export VAGRANT_CLOUD_TOKEN=${token}`,
  ].join('\n');
}
