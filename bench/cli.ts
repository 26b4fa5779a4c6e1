import { spawnSync } from 'node:child_process';
import { interleaved, ms, type Row, timed } from './row.ts';
import { entry, openWorld } from './world.ts';

export async function cli(): Promise<Row[]> {
  const world = await openWorld(20);
  const run =
    (...args: string[]) =>
    () =>
      timed(() => {
        const { status } = spawnSync(process.execPath, args, { env: world.env });
        if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
      });
  const times = await interleaved(60, {
    node: run('-e', '0'),
    version: run(entry, '--version'),
    list: run(entry, 'list'),
  });
  await world.end();
  return [
    {
      what: '`tsmux --version` : `node -e 0`',
      measured: `${ms(times.version)} : ${ms(times.node)}`,
      value: times.version / times.node,
      bar: 1.3,
      unit: '×',
    },
    {
      what: '`tsmux list`, 20 sessions : `node -e 0`',
      measured: `${ms(times.list)} : ${ms(times.node)}`,
      value: times.list / times.node,
      bar: 1.5,
      unit: '×',
    },
  ];
}
