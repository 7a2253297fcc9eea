/** The theme. A preference on the server, which this browser also stores for the first paint. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Applies the theme now, and before the first paint of the next load (see begin.js). */
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
