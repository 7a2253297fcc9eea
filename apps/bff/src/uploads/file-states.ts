/** States of an upload whose file is in the spool, unless it must be sent again. */
export const fileStates = ['receiving', 'received', 'delivering', 'verifying', 'failed'] as const;
