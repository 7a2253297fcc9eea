import { createHash } from 'node:crypto';
import { Code, ConnectError, createContextKey } from '@connectrpc/connect';
import type { HandlerContext } from '@connectrpc/connect';
import type { FollowRequest } from './replication.gen.ts';
import type { SecondaryRecord, ServeOptions } from './types.ts';

/** The caller, identified by its certificate. */
interface Peer {
  readonly id: string | undefined;
  /** Closes the call's stream. */
  readonly close: () => void;
}

/** The context key of a call's peer. */
export const peerKey = createContextKey<Peer>({ id: undefined, close: () => undefined });

/** The maximum length of a cluster's addresses in characters. */
const mostNameLength = 512;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The message for a caller without a record in the book. */
export const notAdmitted = 'this cluster is unknown here, or was revoked';

/** Admits the secondaries of the book. All methods throw a ConnectError for a caller that is not admitted. */
export function admissionOf({ book }: ServeOptions) {
  /**
   * The claiming cluster of each activation whose claim is still being saved; a second claim may arrive at the same
   * time.
   */
  const pending = new Map<string, string>();
  const known = ({ values }: HandlerContext): SecondaryRecord => {
    const { id } = values.get(peerKey);
    const record = id === undefined ? undefined : book.get(id);
    if (record === undefined) throw denied(notAdmitted);
    return record;
  };

  return {
    /** Returns the caller's record. */
    known,
    /**
     * Returns the caller's record. The cluster must have used the activation; a different cluster ID means that the
     * activation was copied.
     */
    using(context: HandlerContext, clusterId: string): SecondaryRecord {
      const record = known(context);
      if (record.clusterId !== clusterId) throw usedElsewhere();
      return record;
    },
    /**
     * Lets the caller use its activation. Only the first cluster to use an activation is ever admitted with it. To
     * replace an activation, a cluster must prove that it is the one that uses it.
     * @param onReplaced called with the ID of each earlier activation of the same cluster, which ends now
     */
    async claim(
      context: HandlerContext,
      request: FollowRequest,
      onReplaced: (id: string) => void,
    ): Promise<SecondaryRecord> {
      const record = known(context);
      const { clusterId, apiAddress, clusterAddress, clusterProof } = request;
      const isSane = [apiAddress, clusterAddress, clusterProof].every(
        ({ length }) => length <= mostNameLength,
      );
      if (!uuid.test(clusterId) || !isSane) {
        throw new ConnectError(
          `a cluster's ID must be a UUID, and its addresses must be ${mostNameLength} characters or fewer`,
          Code.InvalidArgument,
        );
      }
      if ((record.clusterId ?? pending.get(record.id) ?? clusterId) !== clusterId) throw usedElsewhere();
      const proof =
        clusterProof === '' ? undefined : createHash('sha256').update(clusterProof).digest('base64url');
      if (
        record.clusterId === clusterId &&
        record.apiAddress === apiAddress &&
        record.clusterAddress === clusterAddress &&
        record.proof === proof
      ) {
        return record;
      }
      const claimed = { ...record, clusterId, apiAddress, clusterAddress, proof };
      pending.set(record.id, clusterId);
      try {
        const replaced = await book.claim(claimed);
        if (replaced === undefined) throw denied('another activation has its cluster ID');
        for (const id of replaced) onReplaced(id);
      } finally {
        pending.delete(record.id);
      }
      if (book.get(record.id) === undefined) throw denied('it was revoked');
      return claimed;
    },
  };
}

/** A permanent refusal. */
export function denied(message: string): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}

function usedElsewhere(): ConnectError {
  return denied('this activation was used by another cluster');
}
