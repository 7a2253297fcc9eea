import { ttlWarning } from '#routes/$environment/cloud/ttl-ladder.ts';
import type { RoleForm } from './role-fields.ts';

/** Warns below the default TTL if the provider doesn't allow it. */
export function DefaultTtlNote({ values }: { values: RoleForm }) {
  return <TtlNote values={values} ttl={values.default_sts_ttl} />;
}

/** Warns below the maximum TTL if the provider doesn't allow it. */
export function MaxTtlNote({ values }: { values: RoleForm }) {
  return <TtlNote values={values} ttl={values.max_sts_ttl} />;
}

function TtlNote({ values: { credential_type: type }, ttl }: { values: RoleForm; ttl: string }) {
  return (
    <p aria-live="polite" className="text-meta text-warn empty:hidden">
      {type !== '' && ttlWarning(type, ttl)}
    </p>
  );
}
