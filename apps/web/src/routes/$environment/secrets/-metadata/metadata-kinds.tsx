/** A secret's metadata and an engine's settings as editable records. */
import {
  fieldsOfSecretEngine,
  fieldsOfSecretMetadata,
  secretEngine,
  secretMetadata,
  type SecretEngine,
  type SecretEngineChanges,
  type SecretEngineFields,
  type SecretMetadata,
  type SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { useQuery } from '@tanstack/react-query';
import { PencilLine, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { changesNote, codeSetUp } from '#components/form/as-code.ts';
import { nameOf } from '#components/places/secrets.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import {
  metadataOfSecrets,
  secretEngineQuery,
  secretEngines,
  type MetadataWrite,
  type SecretAddress,
} from '#queries/secret-metadata.ts';
import { engineEffects } from './engine-effects.ts';
import { engineAsCode, metadataAsCode } from './metadata-as-code.ts';
import { engineForm, metadataChanges, metadataForm } from './metadata-form.ts';
import { reasonAgainstDescribing, reasonAgainstEngine, reasonAgainstMetadata } from './metadata-reasons.ts';
import { RulesCard } from './RulesCard.tsx';

// Loaded at a save, because most edits need no question.
const loadGuards = () => import('./limit-guards.ts');

export const metadataKind: RecordKind<
  SecretMetadata,
  SecretMetadataFields,
  never,
  MetadataWrite,
  SecretAddress
> = {
  calls: metadataOfSecrets,
  noun: 'metadata',
  icon: PencilLine,
  nameOf: ({ path }) => `of ${nameOf(path)}`,
  reasonAgainst: ({ may }) => reasonAgainstMetadata(may),
  schema: secretMetadata,
  fieldsOf: fieldsOfSecretMetadata,
  formOf: () => metadataForm,
  // Patching has its own capability, which is the narrower one.
  bodyOf: (_, { item: { may }, stored, values }) =>
    may?.patch_metadata === true
      ? { mode: 'patch', changes: metadataChanges(stored, values) }
      : { mode: 'whole', fields: values },
  guardOf: async (edit, environment) => (await loadGuards()).guardOfMetadata(edit, environment),
  code: {
    of: (_, { item, stored, values }) => metadataAsCode(item, stored, values),
    note: (hasChanges) => changesNote(hasChanges, codeSetUp.secrets),
  },
  asideOf: ({ item: { mount }, values }, code) => (
    <MetadataAside mount={mount} fields={values}>
      {code}
    </MetadataAside>
  ),
};

function MetadataAside({
  mount,
  fields,
  children,
}: {
  mount: string;
  fields: SecretMetadataFields;
  children: ReactNode;
}) {
  const environment = useEnvironment();
  const engine = useQuery(secretEngineQuery({ environment: environment.id, mount }));
  return (
    <div className="flex flex-col gap-6">
      <RulesCard title="Resulting settings" own={fields} engine={engine.data} />
      {children}
    </div>
  );
}

export const engineKind: RecordKind<SecretEngine, SecretEngineFields, never, SecretEngineChanges> = {
  calls: secretEngines,
  noun: 'settings',
  icon: Settings2,
  nameOf: ({ mount }) => `of ${mount}`,
  reasonAgainst: ({ may }) => reasonAgainstEngine(may),
  schema: secretEngine,
  fieldsOf: fieldsOfSecretEngine,
  formOf: (item) => engineForm(reasonAgainstDescribing(item)),
  bodyOf: ({ description }, { values }) => ({ ...values, description }),
  guardOf: async (edit) => (await loadGuards()).guardOfEngine(edit),
  code: {
    of: (fields, { item }) => engineAsCode(item.mount, fields),
    note: () => `The same settings on the command line. ${codeSetUp.secrets}`,
  },
  asideOf: ({ item, stored, values }, code) => (
    <div className="flex flex-col gap-6">
      <RulesCard title="For secrets without their own settings" engine={values} />
      {item.metadata_cas_required === true && (
        <p className="text-body text-ink-2">
          Metadata changes require check-and-set (metadata_cas_required). The console always uses it, and
          saving here doesn't change that.
        </p>
      )}
      <Effects effects={engineEffects(stored, values)} />
      {code}
    </div>
  ),
};

function Effects({ effects }: { effects: readonly string[] }) {
  if (effects.length === 0) return null;
  return (
    <section aria-label="Effects of saving" className="flex flex-col gap-2" aria-live="polite">
      <h2 className="text-heading font-semibold text-ink-1">Effects of saving</h2>
      <ul className="flex list-disc flex-col gap-1 ps-5 text-body text-ink-1">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </section>
  );
}
