import { defineConfig } from 'vitest/config';
import unit from './vitest.config.ts';

export default defineConfig({ test: { ...unit.test, include: ['test/programs/**/*.test.ts'], exclude: [] } });
