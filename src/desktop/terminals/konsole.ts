/**
 * Konsole (observed with 22.12.3). WINDOWID is exact, also for a second window of one process; the title of its
 * windows is made from the profile's format and does not show what a program sets.
 */
import type { Terminal } from './terminal.ts';

export const konsole: Terminal = {
  name: 'konsole',
  is: (process) => process.comm === 'konsole' || process.comm === 'yakuake',
  showsTitle: false,
};
