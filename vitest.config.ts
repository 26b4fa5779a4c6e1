import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // All that needs programs which are not on every machine has a configuration of its own.
    exclude: ['test/programs/**', 'test/lab/**', 'test/claude-code/**'],
    globalSetup: ['test/support/temporary-folder.ts'],
    testTimeout: 30_000,
    pool: 'forks',
    // Many of them wait for other processes, and few of them for the processor.
    maxWorkers: 4,
  },
});
