import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { manPage } from '../../src/cli/man-page.ts';
import { createProgram } from '../../src/cli/program.ts';

it('the manual page in contrib is as the commands are', async () => {
  const program = createProgram(() => {
    throw new Error('no command is run here');
  });
  await expect(manPage(program)).toMatchFileSnapshot('../../contrib/man/tsmux.1');
});

it('and npm installs it with the command', () => {
  const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: string[] };
  expect(man).toEqual(['contrib/man/tsmux.1']);
  expect(man.every((file) => existsSync(file))).toBe(true);
});
