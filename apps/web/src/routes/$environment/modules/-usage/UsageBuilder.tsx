import type { Module, ModuleFolder, ModuleInput } from '@gatehouse/api-types/console/modules';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { Link } from '@gatehouse/ui/link';
import { Select } from '@gatehouse/ui/select';
import { useState } from 'react';
import { moduleTokensHref } from '#components/places/modules.ts';
import { takeLostFocus } from '#lib/focus.ts';
import { credentialsBlock, tokenVariable } from '../../-modules/credentials.ts';
import { isArgumentName } from '../../-modules/hcl-value.ts';
import { RegistryHost } from '../../-modules/RegistryHost.tsx';
import { firstDraft, problemOf, valueOf, type InputDraft } from './input-draft.ts';
import { InputField } from './InputField.tsx';
import { NewestAllowed } from './NewestAllowed.tsx';
import { placeholderOf, usageBlock } from './usage-block.ts';
import { constraintKinds, constraintOf, type ConstraintKind } from './version-constraint.ts';

const kindWords: Readonly<Record<ConstraintKind, string>> = {
  compatible: 'Compatible versions',
  patches: 'Patches only',
  least: 'This version or newer',
  exact: 'This version only',
};

/** A form of a module's inputs, and the resulting block that uses the module. */
export function UsageBuilder({
  environment,
  module,
  version,
  folder,
}: {
  environment: string;
  module: Module;
  version: string;
  /** Null if the archive could not be read. */
  folder: ModuleFolder | null;
}) {
  const kinds = constraintKinds(version);
  const [kind, setKind] = useState<ConstraintKind>(kinds[0] ?? 'exact');
  const [drafts, setDrafts] = useState<ReadonlyMap<string, InputDraft>>(new Map());
  const [showsOptional, setShowsOptional] = useState(false);
  // An invalid name can't be an argument.
  const inputs = folder?.inputs.filter(({ name }) => isArgumentName(name)) ?? [];
  const required = inputs.filter((input) => input.required);
  const optional = inputs.filter((input) => !input.required);
  const draftOf = (input: ModuleInput): InputDraft => drafts.get(input.name) ?? firstDraft(input);
  const given = inputs.flatMap((input) => {
    const draft = draftOf(input);
    const isOpen = input.required && !draft.isGiven;
    const value = isOpen ? placeholderOf(input) : valueOf(draft);
    return value === undefined ? [] : [{ name: input.name, value }];
  });
  const wrong = inputs.filter((input) => problemOf(draftOf(input)) !== undefined);
  const missing = required.filter((input) => !draftOf(input).isGiven);
  const field = (input: ModuleInput) => (
    <InputField
      key={input.name}
      input={input}
      draft={draftOf(input)}
      onChange={(draft) => {
        setDrafts((before) => new Map(before).set(input.name, draft));
      }}
    />
  );
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Card title="Version">
          <Select
            label="Allowed versions"
            options={kinds.map((id) => ({
              id,
              label: kindWords[id],
              detail: constraintOf(version, id),
            }))}
            value={kind}
            onChange={(next) => {
              setKind(kinds.find((one) => one === next) ?? kind);
            }}
          />
          <NewestAllowed
            environment={environment}
            module={module}
            version={version}
            kind={kind}
            path={folder?.path}
          />
        </Card>
        <Card title="Inputs">
          {folder === null && (
            <p className="text-body text-ink-2">
              The inputs of this version are unknown. Add the arguments to the block yourself.
            </p>
          )}
          {folder !== null && inputs.length === 0 && (
            <p className="text-body text-ink-2">This version has no inputs.</p>
          )}
          <div className="flex flex-col gap-4">
            {required.map(field)}
            {optional.length > 0 && !showsOptional && (
              <div>
                <Button
                  size={28}
                  onPress={() => {
                    setShowsOptional(true);
                  }}
                >
                  Show {optional.length.toLocaleString('en')} optional{' '}
                  {optional.length === 1 ? 'input' : 'inputs'}
                </Button>
              </div>
            )}
            {showsOptional && (
              <div ref={takeLostFocus} tabIndex={-1} className="flex flex-col gap-4">
                {optional.map(field)}
              </div>
            )}
          </div>
        </Card>
      </div>
      <div className="flex min-w-0 flex-col gap-4 wide:sticky wide:top-0">
        <Card title="In your configuration">
          <div className="flex flex-col gap-2">
            <CodeBlock
              label="Terraform"
              code={usageBlock({
                label: folder?.name || module.name,
                address: module.address,
                submodule: folder?.path ?? '',
                version: constraintOf(version, kind),
                inputs: given,
                folder,
              })}
            />
            <p role="status" className="text-meta text-ink-2">
              {wrong.length > 0 && `Left out until corrected: ${namesOf(wrong)}. `}
              {missing.length > 0 &&
                `Still required: ${namesOf(missing)}. The block has placeholders for ${missing.length === 1 ? 'it' : 'them'}. `}
              {folder?.provider_dependencies.some(({ aliases }) => aliases.length > 0) &&
                'In the providers argument, map each provider to one of your provider configurations.'}
            </p>
          </div>
        </Card>
        {module.services_url !== '' && (
          <Card title="Registry address">
            <RegistryHost {...module} />
          </Card>
        )}
        {module.host !== '' && <Credentials environment={environment} host={module.host} />}
      </div>
    </div>
  );
}

function namesOf(inputs: readonly ModuleInput[]): string {
  return inputs.map(({ name }) => name).join(', ');
}

/**
 * How clients authenticate at the registry, which is needed if it refuses anonymous downloads, or to be counted by
 * name.
 */
function Credentials({ environment, host }: { environment: string; host: string }) {
  const variable = tokenVariable(host);
  return (
    <Card title="Credentials">
      <div className="flex flex-col gap-3">
        <p className="text-body text-ink-2">
          With <Link href={moduleTokensHref(environment)}>a token</Link>, the registry records who downloads a
          module. Put the token in ~/.terraformrc (OpenTofu: ~/.tofurc)
          {variable !== undefined && ', or in the environment'}.
        </p>
        <CodeBlock label="~/.terraformrc" code={credentialsBlock(host)} />
        {variable !== undefined && (
          <CodeBlock label="Environment" code={`export ${variable}=YOUR_TOKEN`} isWrapped />
        )}
      </div>
    </Card>
  );
}
