/** The person's settings, each one preference with its own schema. */
import * as z from 'zod/mini';
import { themes } from '#lib/theme.ts';
import { usePreference } from './preferences.ts';

/** The theme; `system` follows the machine. */
export const useThemeSetting = () => usePreference('theme', z.enum(themes), 'system');

/** Whose clock absolute times are shown on. */
export const useZoneSetting = () => usePreference('time-zone', z.enum(['local', 'utc']), 'local');

/** Whether shortcuts of single keys act. */
export const useShortcutsSetting = () => usePreference('shortcuts', z.boolean(), true);
