import { oneLine } from '../bars/text.ts';
import type { WireHistory, WireHistoryEntry } from '../daemon/wire.ts';
import { jsonText } from '../system/json-text.ts';
import type { Context } from './context.ts';
import { table } from './table.ts';

export async function history({ client }: Context, { json }: { readonly json?: true }): Promise<void> {
  const told = (await client.request('GET', '/v1/history')) as WireHistory;
  process.stdout.write(json ? `${jsonText(told)}\n` : await listing(told));
}

async function listing({ entries }: WireHistory): Promise<string> {
  if (entries.length === 0) return 'no prompt has been settled yet\n';
  const rows = entries.map((entry) => [
    { text: localTime(entry.at) },
    { text: oneLine(entry.name) },
    {
      text: oneLine(
        [entry.title, entry.agent ? '(sub-agent)' : '', entry.text ?? ''].filter(Boolean).join(' '),
      ),
    },
    { text: oneLine(outcome(entry)) },
    { text: entry.missed ? 'missed: it was quiet' : '' },
  ]);
  return table(rows, process.stdout.isTTY ? process.stdout.columns : null);
}

function outcome({ outcome: what }: WireHistoryEntry): string {
  switch (what.type) {
    case 'answered':
      return `${what.label ?? what.means} (by ${what.way === 'hook' ? 'the hook' : 'its key'})`;
    case 'elsewhere':
      return 'answered elsewhere';
    case 'session-ended':
      return 'the session ended';
  }
}

/** `2026-11-30 14:00` */
function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
