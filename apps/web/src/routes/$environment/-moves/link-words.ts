/** How images that are stored elsewhere, and the access to boxes that are created, are said. */

export const linksWords = { keep: 'Keep the original addresses', copy: 'Copy them here' } as const;
export const privacyWords = { 'as-there': 'Same as at the source', private: 'Private' } as const;
