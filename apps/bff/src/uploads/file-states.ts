/** States of an upload in which its file lies in the spool, unless it has to be sent again. */
export const fileStates = ['receiving', 'received', 'delivering', 'verifying', 'failed'] as const;
