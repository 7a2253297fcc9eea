import { CodeBlock } from '@gatehouse/ui/code';
import { maskedText } from '@gatehouse/ui/secret-value';
import { TokenOnce } from '#components/credentials/TokenOnce.tsx';
import { shellWord } from '#components/form/as-code.ts';
import { credentialsBlock, hostBlock, tokenVariable } from '#routes/$environment/-modules/credentials.ts';
import { useSomeModule } from '#routes/$environment/-modules/use-some-module.ts';

/** Shown if the registry doesn't report its host. */
const exampleHost = 'modules.example.com';

/** A new token, shown once, and how clients present it. */
export function ModuleTokenOnce({
  environment,
  token,
  onClose,
}: {
  environment: string;
  token: string;
  onClose: () => void;
}) {
  const known = useSomeModule(environment);
  const host = known?.host || exampleHost;
  const servicesUrl = known?.services_url ?? '';
  const blocks = (shown: string): string =>
    (servicesUrl === '' ? '' : `${hostBlock(host, servicesUrl)}\n\n`) + credentialsBlock(host, shown);
  const variable = tokenVariable(host);
  return (
    <TokenOnce token={token} onClose={onClose}>
      <CodeBlock label="Credentials" code={blocks(maskedText)} copyText={blocks(token)} isSecret />
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
        {servicesUrl === '' ? 'Put the block' : 'Put the blocks'} in ~/.terraformrc (OpenTofu: ~/.tofurc).
        {!known?.host && ` Replace ${host} with the registry's host, as in your modules' sources.`}
      </p>
    </TokenOnce>
  );
}
