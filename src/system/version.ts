declare const TSMUX_VERSION: string | undefined;

/** Set by the build; a run from the sources (tests) has none. */
export const version: string = typeof TSMUX_VERSION === 'string' ? TSMUX_VERSION : '0.0.0';
