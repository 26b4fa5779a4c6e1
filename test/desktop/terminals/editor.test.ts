import { describe, expect, it } from 'vitest';
import { machineOf } from '../machine.ts';

const place = async (titles: readonly string[], cwd: string, comm = 'code') => {
  const machine = machineOf({
    processes: [
      { pid: 10, comm, holds: [] },
      { pid: 11, comm, parent: 10, holds: [4] },
      { pid: 12, comm: 'bash', parent: 11, pts: 4, cwd: '/home/ada/src/webshop' },
      { pid: 500, comm: 'claude', parent: 12, pts: 4, cwd },
    ],
    windows: titles.map((title, index) => ({ pid: 10, id: 201 + index, title })),
  });
  return (await machine.locate(500)).place;
};

describe("a session in an editor's terminal", () => {
  const shop = 'cart.ts - webshop - Visual Studio Code';
  const other = '● main.rs - engine - Visual Studio Code';

  it('is in the one window whose title names its folder', async () => {
    expect(await place([other, shop], '/tmp')).toMatchObject({ certainty: 'exact', window: { id: 202 } });
  });

  it('is in one of those that name it, where several do', async () => {
    const found = await place([shop, other, '● webshop — Cursor'], '/tmp', 'cursor');
    expect(found.certainty).toBe('ambiguous');
    expect(found.candidates.map(({ window }) => window.id)).toEqual([201, 203]);
  });

  it('may be in any of them where none does, or where only the home folder is named', async () => {
    expect((await place([other, 'ada - Visual Studio Code'], '/home/ada')).candidates).toHaveLength(2);
  });

  it('is not in a window that only has the name within another word', async () => {
    expect((await place([other, 'webshop2 - Visual Studio Code'], '/tmp')).certainty).toBe('ambiguous');
  });

  it('c7: of Emacs is in one of its frames, never the first', async () => {
    const found = await place(['*ansi-term*', '*shell*'], '/tmp', 'emacs-gtk');
    expect(found).toMatchObject({ certainty: 'ambiguous', window: null });
  });
});
