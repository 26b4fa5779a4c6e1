import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The desktop and the real Claude Code have configurations of their own: they need programs that are
    // not on every machine.
    exclude: ['test/lab/**', 'test/claude-code/**'],
    globalSetup: ['test/support/temporary-folder.ts'],
    testTimeout: 30_000,
    pool: 'forks',
    // Many of them wait for other processes, and few of them for the processor.
    maxWorkers: 4,
  },
});
