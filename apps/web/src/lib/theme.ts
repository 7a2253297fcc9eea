/** Which theme is shown. The person's choice is a preference on the server; this browser remembers it for the first paint. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Shows the theme now and at the next load, before the first paint (see begin.js). */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  try {
    localStorage.setItem('gatehouse.theme', theme);
  } catch {
    // Storage is forbidden: the next load begins with the system's preference.
  }
}
