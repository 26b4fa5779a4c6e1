import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/lab/**/*.test.ts'],
    // What takes minutes, and only looks for what nobody thought of, runs when it is asked for.
    exclude: process.env.TSMUX_LONG === undefined ? ['test/lab/long/**'] : [],
    globalSetup: ['test/lab/project.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Only root can give each lab a user of its own; labs of one user see each other's sessions.
    fileParallelism: process.getuid?.() === 0,
  },
});
