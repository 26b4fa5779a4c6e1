import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/claude-code/**/*.test.ts'],
    // What takes eleven minutes runs only when it is asked for.
    exclude: process.env.TSMUX_LONG === undefined ? ['test/claude-code/long/**'] : [],
    globalSetup: ['test/lab/project.ts'],
    // The real Claude Code: 400 MB of program for each session, and some of what it does takes six seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // On two cores more would only wait for each other.
    maxWorkers: 2,
  },
});
