/** How links to images stored elsewhere, and the visibility of created boxes, are worded. */

export const linksWords = { keep: 'Keep the original addresses', copy: 'Copy them here' } as const;
export const privacyWords = { 'as-there': 'Same as at the source', private: 'Private' } as const;
