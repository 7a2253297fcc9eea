import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { CodeBlock } from '@gatehouse/ui/code';
import { Dialog } from '@gatehouse/ui/dialog';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { maskedText, SecretValue } from '@gatehouse/ui/secret-value';
import { useQuery } from '@tanstack/react-query';
import { shellWord } from '#components/form/as-code.ts';
import { credentialsBlock, tokenVariable } from '#components/modules/usage/credentials.ts';
import { moduleQuery, moduleSearchQuery } from '#queries/modules.ts';

/** In place of a host that the registry does not tell. */
const exampleHost = 'modules.example.com';

/** A token that was created a moment ago, and how clients present it. */
export function TokenOnce({
  environment,
  token,
  onClose,
}: {
  environment: string;
  token: string;
  onClose: () => void;
}) {
  const known = useRegistryHost(environment);
  const host = known || exampleHost;
  const variable = tokenVariable(host);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="The token is created"
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Banner tone="warn" title="Shown once" announce="none">
          It is not kept anywhere and can't be shown again. Whoever holds it acts in your name.
        </Banner>
        <KeyValueList items={[{ label: 'Token', value: <SecretValue label="Token" text={token} /> }]} />
        <CodeBlock
          label="Credentials"
          code={credentialsBlock(host, maskedText)}
          copyText={credentialsBlock(host, token)}
          isSecret
        />
        {variable !== undefined && (
          <CodeBlock
            label="For the shell"
            code={`export ${variable}=${maskedText}`}
            copyText={`export ${variable}=${shellWord(token)}`}
            isSecret
            isWrapped
          />
        )}
        <p className="text-meta text-ink-2">
          The block belongs in ~/.terraformrc or ~/.tofurc.
          {known === '' &&
            ` Replace ${host} by the host of the registry, as sources of your modules name it.`}
        </p>
      </div>
    </Dialog>
  );
}

/** The host of the registry, as its first module tells it; empty where none does. */
function useRegistryHost(environment: string): string {
  const found = useQuery(moduleSearchQuery(environment, {}));
  const first = found.data?.modules[0];
  const { namespace = '', name = '', provider = '' } = first ?? {};
  const module = useQuery({
    ...moduleQuery({ environment, namespace, name, provider }),
    enabled: first !== undefined,
  });
  return module.data?.host ?? '';
}
