/** The ID of the scope that contains all others. */
export const globalScope = 'global';
