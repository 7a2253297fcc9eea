import type { Module } from '@gatehouse/api-types/console/modules';
import { CodeBlock } from '@gatehouse/ui/code';
import { hostBlock } from './credentials.ts';

/** The configuration for clients that can't discover the registry; nothing if they can. */
export function RegistryHost({ host, services_url: url }: Pick<Module, 'host' | 'services_url'>) {
  if (url === '') return null;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-ink-2">
        Terraform and OpenTofu look for a registry at the root of its host, over HTTPS. This registry
        isn&apos;t there, so add the block below to ~/.terraformrc (OpenTofu: ~/.tofurc).
      </p>
      <CodeBlock label="Host" code={hostBlock(host, url)} />
    </div>
  );
}
