import { Button } from '@gatehouse/ui/button';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { ModuleIcon } from '@gatehouse/ui/icon';
import { TextField } from '@gatehouse/ui/text-field';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { moduleHref } from '#components/places/modules.ts';

/** Opens a module by its address, for registries without a list of modules. */
export function OpenModule({ environment }: { environment: string }) {
  const navigate = useNavigate();
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string>();
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    // As in a module block, a host may precede it and a folder may follow it.
    const [, namespace, name, provider] =
      /^(?:[^/]+\/)?([\w-]+)\/([\w-]+)\/([0-9a-z]+)(?:\/\/.*)?$/.exec(address.trim()) ?? [];
    if (namespace === undefined || name === undefined || provider === undefined) {
      setError('Enter namespace/name/provider, for example acme/network/aws.');
      return;
    }
    void navigate({ href: moduleHref({ environment, namespace, name, provider }) });
  };
  return (
    <EmptyState
      icon={ModuleIcon}
      title="This registry doesn't list its modules"
      command='source = "REGISTRY/acme/network/aws"'
      action={
        <form onSubmit={open} className="flex w-80 max-w-full flex-col items-start gap-3 text-start">
          <TextField
            label="Address of a module"
            description="As in the source of a module block: namespace/name/provider."
            isMono
            placeholder="acme/network/aws"
            spellCheck="false"
            value={address}
            onChange={(text) => {
              setAddress(text);
              setError(undefined);
            }}
            error={error}
          />
          <Button type="submit" variant="primary">
            Open module
          </Button>
        </form>
      }
    >
      Enter a module's address to see all its versions.
    </EmptyState>
  );
}
