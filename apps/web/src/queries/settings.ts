/** The user's settings, one preference each. Validated without a library: every page loads this file. */
import { themes, type Theme } from '#lib/theme.ts';
import { usePreference } from './preferences.ts';

type Zone = 'local' | 'utc';

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);
const isZone = (value: unknown): value is Zone => value === 'local' || value === 'utc';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The theme; `system` follows the operating system. */
export const useThemeSetting = () => usePreference<Theme>('theme', isTheme, 'system');

/** The time zone of absolute times. */
export const useZoneSetting = () => usePreference<Zone>('time-zone', isZone, 'local');

/** Whether single-key shortcuts are on. */
export const useShortcutsSetting = () => usePreference('shortcuts', isBoolean, true);
