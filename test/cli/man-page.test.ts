import { expect, it } from 'vitest';
import { manPage } from '../../src/cli/man-page.ts';
import { createProgram } from '../../src/cli/program.ts';

it('the manual page in contrib is as the commands are', async () => {
  const program = createProgram(() => {
    throw new Error('no command is run here');
  });
  await expect(manPage(program)).toMatchFileSnapshot('../../contrib/man/tsmux.1');
});
