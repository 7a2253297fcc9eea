/** The id of the scope that holds all others. */
export const globalScope = 'global';
