import { openBar } from './bar-client.ts';
import { delays, median, type Row } from './row.ts';
import { openWorld, pause, post, until } from './world.ts';

const samples = 400;
const burst = 6000;
/** The first one is slower: V8 compiles what runs often, once. */
const bursts = 5;

/** From a hook's POST to the line on the stdout of a bar client, beside the round trip of the POST alone. */
export async function latency(): Promise<Row[]> {
  const world = await openWorld(5);
  const bar = openBar(world);
  await until(() => bar.line().includes('project-0'), 'the bar');
  const pid = world.pids[0] ?? 0;
  const starts = (word: string) =>
    world.hook(0, {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: word,
      tool_input: { command: word },
    });
  await world.work(0);

  const onBar: number[] = [];
  const roundTrips: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const word = `s${sample}x`;
    const seen = bar.shows(word);
    const start = performance.now();
    const replied = post(world.socket, pid, starts(word)).then(() => performance.now() - start);
    await seen;
    onBar.push(performance.now() - start);
    await replied;
    // The next one is a leading edge again: what is measured is the path, not the limit of ten a second.
    await pause(110);
    const alone = performance.now();
    await post(world.socket, pid, starts(word));
    roundTrips.push(performance.now() - alone);
  }

  const rates: number[] = [];
  for (let nth = 0; nth < bursts; nth++) {
    const word = (event: number) => `b${nth}e${event}x`;
    const start = performance.now();
    const pending = new Set<Promise<string>>();
    for (let event = 0; event < burst - 1; event++) {
      const sent = post(world.socket, pid, starts(word(event)));
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
      if (pending.size >= 16) await Promise.race(pending);
    }
    await Promise.all(pending);
    // Of those that were under way together any may have been the last one; this one comes after them all.
    await post(world.socket, pid, starts(word(burst - 1)));
    rates.push(burst / ((performance.now() - start) / 1000));
    await until(() => bar.line().includes(word(burst - 1)), 'the last state on the bar');
  }
  const [first = 0] = rates;
  const rate = median(rates);

  await Promise.all([bar.end(), world.end()]);
  return [
    ...delays("hook POST → line on the bar client, p50 : the POST's own round trip", onBar, roundTrips, 2.5),
    {
      what: `events taken, ${burst} in a burst, the last one shown`,
      measured: `${rate.toFixed(0)} a second, ${first.toFixed(0)} in the first burst`,
      value: rate,
      bar: 2000,
      unit: '/s',
      atLeast: true,
    },
  ];
}
