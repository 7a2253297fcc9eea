/** The person's settings, each one preference. Their checks are written by hand: every page needs them at once. */
import { themes, type Theme } from '#lib/theme.ts';
import { usePreference } from './preferences.ts';

type Zone = 'local' | 'utc';

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);
const isZone = (value: unknown): value is Zone => value === 'local' || value === 'utc';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The theme; `system` follows the machine. */
export const useThemeSetting = () => usePreference<Theme>('theme', isTheme, 'system');

/** Whose clock absolute times are shown on. */
export const useZoneSetting = () => usePreference<Zone>('time-zone', isZone, 'local');

/** Whether shortcuts of single keys act. */
export const useShortcutsSetting = () => usePreference('shortcuts', isBoolean, true);
