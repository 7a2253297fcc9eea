import type { SourceKind } from '#queries/target-sources.ts';

/** Labels for the roles of sources at targets. */
export const kindLabels: Readonly<Record<SourceKind, string>> = {
  host_source_ids: 'Host sources',
  brokered_credential_source_ids: 'Brokered credentials',
  injected_application_credential_source_ids: 'Injected application credentials',
  application_credential_source_ids: 'Application credentials',
};
