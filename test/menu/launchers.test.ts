import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { launcherFor, launchers } from '../../src/menu/launchers.ts';

const folder = mkdtempSync(join(tmpdir(), 'tsmux-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const { program } of launchers) writeFileSync(join(folder, program), '', { mode: 0o755 });

const found = (env: Record<string, string>) => launcherFor({ PATH: folder, ...env }, [])[0];

describe('the launcher', () => {
  it('is one that can draw where the user is', () => {
    expect(found({ DISPLAY: ':0' })).toBe(join(folder, 'rofi'));
    expect(found({ WAYLAND_DISPLAY: 'wayland-1' })).toBe(join(folder, 'fuzzel'));
    expect(found({ WAYLAND_DISPLAY: 'wayland-1', DISPLAY: ':0' })).toBe(join(folder, 'fuzzel'));
  });

  it('is the one that is configured, whatever else is there', () => {
    expect(launcherFor({ PATH: folder, DISPLAY: ':0' }, ['mine', '-x'])).toEqual(['mine', '-x']);
  });

  it('cannot be shown without a display', () => {
    expect(() => found({})).toThrow('neither DISPLAY nor WAYLAND_DISPLAY is set');
  });
});
