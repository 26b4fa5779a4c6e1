import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backgroundTasks } from './background.ts';
import { plainDialog } from './dialogs.ts';
import { encoded } from './files.ts';
import { MODEL, type Session, type Thread } from './session.ts';

/** No command is quicker than that, ms. */
const SHORTEST = 100;

const folderOf = (configDir: string, project: string) => join(configDir, 'projects', encoded(project));

/** The user's own name for a conversation that was left; null where he gave none. */
export function titleOf(configDir: string, project: string, sessionId: string): string | null {
  const file = join(folderOf(configDir, project), `${sessionId}.jsonl`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return [...text.matchAll(/"customTitle":"([^"]*)"/g)].at(-1)?.[1] ?? null;
}

/**
 * What the user types with a slash, as far as anybody else sees what it does.
 *
 * @returns takes a line; false when it is no command.
 */
export function createCommands(
  session: Session,
  does: { readonly exit: () => Promise<unknown>; readonly summarise: () => Promise<string> },
): (line: string) => Promise<boolean> {
  let typedAt = '';

  /** What was run and what it said, as lines of the system's, or of the user's where the model is to know it. */
  function write(name: string, args: string, said: string, by: 'system' | 'user' | 'both'): void {
    const lines = [
      `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`,
      `<local-command-stdout>${said}</local-command-stdout>`,
    ];
    const user = (content: string, more: object = {}) =>
      session.transcript.chained({
        promptId: session.promptId,
        type: 'user',
        message: { role: 'user', content },
        ...more,
      });
    const system = (content: string, more: object = {}) =>
      session.transcript.chained({
        type: 'system',
        subtype: 'local_command',
        content,
        isMeta: false,
        ...more,
      });
    const then = { timestamp: typedAt };
    if (by !== 'system') {
      const caveat = '<local-command-caveat>The user ran this by himself.</local-command-caveat>';
      user(caveat, { ...then, isMeta: true });
    }
    (by === 'system' ? system : user)(lines[0] ?? '', then);
    (by === 'user' ? user : system)(lines[1] ?? '');
  }

  async function atWork(run: () => Promise<unknown>): Promise<void> {
    session.working = true;
    session.refresh();
    await Promise.all([run(), new Promise((seen) => setTimeout(seen, SHORTEST))]);
    session.working = false;
    session.refresh();
  }

  async function clear(): Promise<void> {
    const { promptId } = session;
    await session.hookAndWait('SessionEnd', { reason: 'clear' });
    session.renew(randomUUID());
    write('clear', '', '', 'both');
    if (!session.isNew) session.promptId = promptId;
    await session.hookAndWait('SessionStart', { source: 'clear' });
  }

  async function compact(): Promise<void> {
    await session.hookAndWait('PreCompact', { trigger: 'manual', custom_instructions: null });
    const summary = await does.summarise();
    // The summary is made by sub-agents that nobody has started.
    for (let agents = session.isNew ? 2 : 1; agents > 0; agents--) {
      const agentId = `a${randomUUID().replaceAll('-', '').slice(0, 16)}`;
      const thread: Thread = {
        agentId,
        agentType: '',
        promptId: session.promptId ?? '',
        transcript: session.openTranscript(agentId),
        interrupt: new AbortController(),
      };
      const told = {
        stop_hook_active: false,
        agent_transcript_path: thread.transcript.path,
        last_assistant_message: summary,
        background_tasks: backgroundTasks(session),
        session_crons: [],
      };
      await session.hookAndWait('SubagentStop', told, thread);
    }
    await session.hookAndWait('SessionStart', { source: 'compact', model: MODEL });
    await session.hookAndWait('PostCompact', { trigger: 'manual', compact_summary: summary });
    const content = 'Conversation compacted';
    session.transcript.chained({ type: 'system', subtype: 'compact_boundary', content });
    session.transcript.chained({
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: `This session is being continued. ${summary}` },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    });
    write('compact', '', 'Compacted', 'user');
  }

  async function rename(name: string): Promise<void> {
    session.title = name;
    session.file.rename(name);
    const { sessionId } = session;
    session.transcript.plain({ type: 'custom-title', customTitle: name, sessionId });
    write('rename', name, `Session renamed to: ${name}`, 'system');
    session.transcript.chained({
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: `<system-reminder>It is called ${name}.</system-reminder>` },
      isMeta: true,
    });
  }

  function model(): void {
    const dialog = plainDialog('Select model', [], ['Default (recommended) ✔', 'Opus', 'Sonnet']);
    const { choice, close } = session.open(dialog, 'dialog open');
    void choice.then((chosen) => {
      if (chosen.kind === 'option') {
        const file = join(session.configDir, 'settings.json');
        const settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
        writeFileSync(file, JSON.stringify({ ...settings, model: 'opus' }, null, 2));
      }
      if (chosen.kind === 'option') write('model', '', 'Set model to `Opus`', 'user');
      else write('model', '', 'Kept model as `Opus` (default)', 'system');
      close();
    });
  }

  function resume(): void {
    const files = readdirSync(folderOf(session.configDir, session.project));
    const others = files
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => basename(name, '.jsonl'))
      .filter((id) => id !== session.sessionId);
    const { choice, close } = session.open(plainDialog('Resume session', [], others), 'dialog open');
    void choice.then(async (chosen) => {
      close();
      const id = chosen.kind === 'option' ? others[chosen.index] : undefined;
      if (id === undefined) return;
      const { promptId } = session;
      await session.hookAndWait('SessionEnd', { reason: 'resume' });
      session.renew(id);
      session.promptId = promptId;
      session.title = titleOf(session.configDir, session.project, id);
      answerWhatWasLeft(session);
      await session.hookAndWait('SessionStart', { source: 'resume', model: MODEL, ...costOf(session) });
    });
  }

  return async (line) => {
    const [name, ...words] = line.slice(1).split(' ');
    const before = session.promptId;
    session.promptId = randomUUID();
    typedAt = new Date().toISOString();
    const args = words.join(' ');
    switch (name) {
      case 'exit':
        if (!session.isNew) write('exit', '', 'Bye!', 'user');
        await does.exit();
        return true;
      case 'clear':
        await atWork(clear);
        return true;
      case 'rename':
        await atWork(() => rename(args));
        return true;
      case 'compact':
        await atWork(compact);
        return true;
      case 'model':
        model();
        return true;
      case 'resume':
        resume();
        return true;
      default:
        session.promptId = before;
        return false;
    }
  };
}

/** 2.1.197 answers what the user's side has said last before the conversation was left. */
export function answerWhatWasLeft(session: Session): void {
  if (session.isNew) return;
  const spoke = /"type":"(user|assistant)"/g;
  const last = [...readFileSync(session.transcript.path, 'utf8').matchAll(spoke)].at(-1)?.[1];
  if (last !== 'user') return;
  const content = [{ type: 'text', text: 'No response requested.' }];
  const message = { role: 'assistant', model: '<synthetic>', content, stop_reason: 'stop_sequence' };
  session.transcript.chained({ type: 'assistant', message });
}

/** What 2.1.332 says of a conversation that is taken up again. */
export function costOf(session: Session): object {
  if (!session.isNew) return {};
  return {
    seconds_since_last_response: 12,
    context_tokens: 19_242,
    prompt_cache_likely_expired: false,
    estimated_cache_write_usd: 0.0962,
  };
}
