import * as at from '@gatehouse/api-types/console/addresses/cloud';
import type { CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import { ConfirmDialog, type Impact } from '@gatehouse/ui/confirm-dialog';
import { useState } from 'react';
import { useLadder } from '#components/guards/use-ladder.ts';
import { tell } from '#components/record/tell.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, sentencesOf } from '#lib/error-words.ts';
import { useRevokeAllLeases, useRevokeLeases, type CloudRolePlace } from '#queries/cloud-leases.ts';

export type RevokedLease = Pick<CloudLease, 'id' | 'renewable'>;

interface RevokeLeasesProps {
  place: CloudRolePlace;
  leases: readonly RevokedLease[];
  /** Called with whether all leases were revoked. */
  onClose: (isRevoked: boolean) => void;
}

/** Asks before revoking leases. Lists those that failed, so that you can retry. */
export function RevokeLeases({ place, leases, onClose }: RevokeLeasesProps) {
  const revoke = useRevokeLeases(place);
  const [left, setLeft] = useState<readonly string[]>(() => leases.map(({ id }) => id));
  const count = left.length;
  const what = count === 1 ? 'lease' : `${count.toLocaleString('en')} leases`;
  const { asks } = useLadder(
    at.cloudLeases.revoke.harm,
    count === 1 ? shortLease(left[0] ?? '') : `revoke ${String(count)}`,
    count,
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!revoke.isPending) onClose(false);
      }}
      title={count === 1 ? `Revoke the lease ${shortLease(left[0] ?? '')}?` : `Revoke ${what}?`}
      confirmLabel={`Revoke ${what}`}
      {...asks}
      isPending={revoke.isPending}
      errorTitle={failureTitle(revoke.error)}
      error={errorOf(revoke.error) ?? failedWords(revoke.data?.failed ?? [])}
      impacts={revocationImpacts(leases, true)}
      onConfirm={() => {
        revoke.mutate(left, {
          onSuccess: ({ failed }) => {
            setLeft(failed.map(({ id }) => id));
            if (failed.length > 0) return;
            void tell('ok', { title: count === 1 ? 'Lease revoked' : `${what} revoked` });
            onClose(true);
          },
        });
      }}
    />
  );
}

interface RevokeAllLeasesProps extends RevokeLeasesProps {
  /** The number of leases; undefined if you may not list them. */
  total: number | undefined;
}

/** Asks before revoking all of a role's leases, including those you haven't seen. */
export function RevokeAllLeases({ place, leases, total, onClose }: RevokeAllLeasesProps) {
  const revoke = useRevokeAllLeases(place);
  const { asks } = useLadder(at.cloudLeases.revokeAll.harm, place.role, Math.max(2, total ?? 2));
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!revoke.isPending) onClose(false);
      }}
      title={`Revoke all leases of ${place.role}?`}
      confirmLabel={
        total === undefined || total < 2
          ? 'Revoke all leases'
          : `Revoke all ${total.toLocaleString('en')} leases`
      }
      {...asks}
      isPending={revoke.isPending}
      errorTitle={failureTitle(revoke.error)}
      error={errorOf(revoke.error)}
      impacts={revocationImpacts(leases, leases.length === total)}
      onConfirm={() => {
        revoke.mutate(undefined, {
          onSuccess: () => {
            void tell('ok', { title: `All leases of ${place.role} revoked` });
            onClose(true);
          },
        });
      }}
    >
      This includes leases issued since you loaded this page.
    </ConfirmDialog>
  );
}

/** The effects of revoking leases. @param areAll whether these are all leases; otherwise others may be of any kind */
export function revocationImpacts(leases: readonly RevokedLease[], areAll: boolean): readonly Impact[] {
  const users = leases.filter(({ renewable }) => renewable).length;
  const isOne = areAll && leases.length === 1;
  return [
    ...(users > 0 || !areAll
      ? [
          {
            kind: 'breaks' as const,
            text: isOne
              ? 'The IAM user with its key and policies is deleted. The provider refuses programs that use the key.'
              : 'Leased IAM users are deleted with their keys and policies. The provider refuses programs that use the keys.',
          },
        ]
      : []),
    ...(users < leases.length || !areAll
      ? [
          {
            kind: 'worth-knowing' as const,
            text: isOne
              ? "Temporary credentials can't be revoked at the provider. The lease ends, but the credentials stay valid until they expire."
              : "Temporary credentials can't be revoked at the provider. Their leases end, but the credentials stay valid until they expire.",
          },
        ]
      : []),
    { kind: 'worth-knowing', text: "This can't be undone. You can generate new credentials." },
  ];
}

/** The end of a lease's ID, which is unique within the role. */
export function shortLease(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** No error if you dismissed the password prompt: nothing was done. */
function errorOf(error: unknown): string | undefined {
  if (error === null || isApiError(error, 'confirmation-required')) return undefined;
  return sentencesOf(error);
}

const namedFailures = 5;

function failedWords(
  failed: readonly { readonly id: string; readonly message: string }[],
): string | undefined {
  if (failed.length === 0) return undefined;
  const named = failed.slice(0, namedFailures).map(({ id, message }) => `${shortLease(id)}: ${message}`);
  const more = failed.length - named.length;
  return `Not revoked: ${named.join(' ')}${more > 0 ? ` And ${more.toLocaleString('en')} more.` : ''}`;
}
