/** Values about secrets, without schemas: the page needs them before it checks anything. */

/** The most fields that one reveal can name. */
export const revealedFieldsLimit = 1_000;
