import type { Target } from '@gatehouse/api-types/console/targets';
import { hclBlock, hclName, type CodeForms } from '#components/form/as-code.ts';
import { setMembersAsCode } from '#components/record/record-as-code.ts';
import type { SourceKind } from '#queries/target-sources.ts';
import { updateTargetAsCode } from '../../target-as-code.ts';
import type { SourceValues } from './source-form.ts';

const credentialFlags = [
  ['brokered_credential_source_ids', 'brokered-credential-source'],
  ['injected_application_credential_source_ids', 'injected-application-credential-source'],
  ['application_credential_source_ids', 'application-credential-source'],
] as const;

/** Calls that change a target's address and sources, each with the version that the previous one leaves. */
export function sourcesAsCode(target: Target, values: SourceValues): CodeForms {
  const differs = (kind: SourceKind): boolean =>
    new Set(target[kind]).symmetricDifference(new Set(values[kind])).size > 0;
  type Call = (at: Target) => Pick<CodeForms, 'cli' | 'http'>;
  const calls: Call[] = [];
  if (values.address !== target.address)
    calls.push((at) => updateTargetAsCode(at, { address: values.address }));
  if (differs('host_source_ids'))
    calls.push((at) =>
      setMembersAsCode(at, {
        collection: 'targets',
        action: 'set-host-sources',
        members: [{ field: 'host_source_ids', flag: 'host-source', ids: values.host_source_ids }],
      }),
    );
  // Clear the address or the host sources before setting the other.
  if (values.address !== '') calls.reverse();
  // Shows an example if nothing changed.
  if (calls.length === 0 || credentialFlags.some(([kind]) => differs(kind))) {
    // A controller clears the kinds that a set call omits.
    const named = credentialFlags.filter(([kind]) => values[kind].length > 0 || differs(kind));
    const shown = named.length === 0 ? credentialFlags.slice(0, 1) : named;
    calls.push((at) =>
      setMembersAsCode(at, {
        collection: 'targets',
        action: 'set-credential-sources',
        members: shown.map(([kind, flag]) => ({ field: kind, flag, ids: values[kind] })),
      }),
    );
  }
  const forms = calls.map((call, index) =>
    call({ ...target, revision: String(Number(target.revision) + index) }),
  );
  const listOrNull = (ids: readonly string[]): readonly string[] | null => (ids.length === 0 ? null : ids);
  return {
    cli: forms.map(({ cli }) => cli).join('\n\n'),
    http: forms.map(({ http }) => http).join('\n\n'),
    terraform: hclBlock('resource', ['boundary_target', hclName(target.name)], {
      name: target.name,
      scope_id: target.scope_id,
      type: target.type,
      address: values.address === '' ? null : values.address,
      host_source_ids: listOrNull(values.host_source_ids),
      brokered_credential_source_ids: listOrNull(values.brokered_credential_source_ids),
      injected_application_credential_source_ids: listOrNull(
        values.injected_application_credential_source_ids,
      ),
    }),
  };
}
