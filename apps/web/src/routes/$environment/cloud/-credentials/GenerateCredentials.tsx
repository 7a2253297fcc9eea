import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { useState } from 'react';
import { useStaleLeases } from '#queries/cloud-leases.ts';
import { CredentialsForm, type Issued } from './CredentialsForm.tsx';
import { CredentialsOnce } from './CredentialsOnce.tsx';

export interface GenerateCredentialsProps {
  environment: string;
  role: CloudRole;
  engine: CloudEngine;
}

/** Generates a role's credentials and shows them once. Only this component keeps them. */
export function GenerateCredentials({ environment, role, engine }: GenerateCredentialsProps) {
  const place = { environment, mount: engine.mount, role: role.name };
  const stale = useStaleLeases(place);
  const [issued, setIssued] = useState<Issued>();
  return issued === undefined ? (
    <CredentialsForm
      place={place}
      role={role}
      onIssued={(made) => {
        setIssued(made);
        stale();
      }}
    />
  ) : (
    <CredentialsOnce
      place={place}
      issued={issued}
      mayReadRoot={engine.may?.read_root ?? true}
      onDone={() => {
        setIssued(undefined);
      }}
    />
  );
}
