import { expect, it } from 'vitest';
import { startLab } from './lab.ts';

it('says that no daemon can be started where nobody may write, and does not promise one', async () => {
  const lab = await startLab();
  try {
    // Not even root is kept from a folder by its mode, so this is seen by a plain user alone.
    const run = async (...args: string[]) => lab.tsmux(args, { env: { XDG_RUNTIME_DIR: '/usr' } });
    const listed = await run('list');
    expect(listed).toMatchObject({ status: 3, stdout: '' });
    expect(listed.stderr).toBe('tsmux: list: cannot use /usr/tsmux: EACCES: look at XDG_RUNTIME_DIR\n');
    const { status, stdout } = await run('doctor');
    expect(stdout).toMatch(/✗ daemon +cannot use \/usr\/tsmux: EACCES\n +→ look at XDG_RUNTIME_DIR\n/);
    expect(status).toBe(1);
    expect((await lab.tsmux(['doctor'])).stdout).toMatch(/– daemon +no daemon runs\n/);
  } finally {
    await lab.stop();
  }
});
