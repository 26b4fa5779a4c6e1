import { describe, expect, it } from 'vitest';
import {
  type FileFacts,
  judgeSessionFile,
  levelOf,
  parseSessionFile,
  type SessionFile,
} from '../../src/claude/session-files.ts';
import { fixture } from './home.ts';

function read(name: string, fields: Readonly<Record<string, unknown>> = {}): SessionFile {
  const file = parseSessionFile(
    JSON.stringify({ ...JSON.parse(fixture(`sessions/${name}.json`)), ...fields }),
  );
  if (file === null) throw new Error(`${name} is no session file`);
  return file;
}

const waiting = (fields = {}) => read('interactive-cli-waiting-permission_prompt', fields);

function facts(fields: Partial<FileFacts> = {}): FileFacts {
  return {
    startTime: 50431,
    startTimeInside: () => fields.startTime ?? 50431,
    pidNamespace: 'pid:[4026531836]',
    machineId: '0123456789abcdef0123456789abcdef',
    hasJobFolder: () => true,
    ...fields,
  };
}

describe('what a session file says', () => {
  it('is a level with the time at which Claude Code set it', () => {
    expect(levelOf(waiting(), 7)).toEqual({
      type: 'session-file',
      at: 7,
      status: 'waiting',
      statusAt: 1796048176862,
      waitingFor: 'permission prompt',
      sessionId: '12cca54b-c00c-4049-8d85-61bf0473efe5',
      name: null,
    });
  });

  it('a1: a reason to wait that nobody knows is passed on as it is', () => {
    const level = levelOf(waiting({ waitingFor: 'sandbox request' }), 7);
    expect(level).toMatchObject({ status: 'waiting', waitingFor: 'sandbox request' });
  });

  it('a2: does not get old', () => {
    const level = levelOf(read('interactive-cli-busy', { updatedAt: 5, statusUpdatedAt: 5 }), 40 * 60_000);
    expect(level).toMatchObject({ status: 'busy', statusAt: 5 });
  });

  it('a7: of an SDK has no status', () => {
    const file = read('interactive-cli', { entrypoint: 'sdk-ts' });
    expect(levelOf(file, 7)).toMatchObject({ status: null, statusAt: null });
    expect(judgeSessionFile(file, facts())).toEqual({ kind: 'sdk' });
  });

  it('a8: tells that only a background shell runs', () => {
    expect(levelOf(read('interactive-cli-shell'), 7).status).toBe('shell');
  });

  it('a9: a status that nobody knows is another one', () => {
    expect(levelOf(waiting({ status: 'frobnicating' }), 7).status).toBe('other');
  });

  it('the name is that of the user only', () => {
    expect(levelOf(read('interactive-cli-idle-renamed'), 7).name).toBe('shop-fix');
    expect(levelOf(read('interactive-cli-idle'), 7).name).toBeNull();
    expect(levelOf(read('bg-cli-idle'), 7).name).toBeNull();
  });

  it('a5: half of it, an empty one, or something else is none', () => {
    for (const text of ['', '{"pid":500,"sta', '[]', 'null', '{"pid":"500"}', '\0']) {
      expect(parseSessionFile(text)).toBeNull();
    }
  });

  it('a field of another type is as good as not there', () => {
    const file = parseSessionFile('{"pid":5,"status":3,"sessionId":[],"spare":"x","procStart":77}');
    expect(file).toMatchObject({ pid: 5, status: undefined, sessionId: undefined, procStart: 77 });
  });

  it('a name of megabytes, or a time that no clock shows, is as good as not there', () => {
    const long = 'x'.repeat(10_000);
    const file = parseSessionFile(
      JSON.stringify({
        pid: 5,
        name: long,
        cwd: long,
        waitingFor: long,
        statusUpdatedAt: 1e300,
        updatedAt: -1,
      }),
    );
    expect(file).toMatchObject({
      name: undefined,
      cwd: undefined,
      waitingFor: undefined,
      statusUpdatedAt: undefined,
      updatedAt: undefined,
    });
  });
});

describe('what a session file stands for', () => {
  it('in a time namespace, where the process reads another start time than others do', () => {
    const inside = { startTimeInside: () => 50431 + 3_600_000 };
    expect(judgeSessionFile(waiting({ procStart: '3650431' }), facts(inside))).toEqual({
      kind: 'interactive',
    });
    expect(judgeSessionFile(waiting({ procStart: '3650432' }), facts(inside))).toMatchObject({
      process: 'another',
    });
  });

  it('by the way in which it was started', () => {
    const kinds = ['cli', 'sdk-cli', 'sdk-py', 'sdk-ts', 'claude-vscode', undefined].map((entrypoint) =>
      judgeSessionFile({ ...waiting(), entrypoint }, facts()),
    );
    expect(kinds.map((judged) => 'kind' in judged && judged.kind)).toEqual([
      'interactive',
      'print',
      'sdk',
      'sdk',
      'editor',
      'interactive',
    ]);
  });

  it('a3: nothing, when the process of that pid is another one', () => {
    expect(judgeSessionFile(waiting(), facts({ startTime: 1 }))).toMatchObject({ process: 'another' });
    expect(judgeSessionFile(waiting(), facts({ startTime: null }))).toMatchObject({ process: 'another' });
  });

  it('a6: nothing, for daemons, spares and background sessions without a job', () => {
    const none = facts({ hasJobFolder: () => false });
    expect(judgeSessionFile(waiting({ kind: 'daemon' }), facts())).toMatchObject({ process: 'this' });
    expect(judgeSessionFile(waiting({ kind: 'daemon-worker' }), facts())).toMatchObject({ process: 'this' });
    const background = read('bg-cli-idle');
    expect(judgeSessionFile(background, none)).toMatchObject({ process: 'another' });
    expect(judgeSessionFile(background, { ...none, startTime: 138769 })).toMatchObject({ process: 'this' });
    expect(judgeSessionFile(background, facts({ startTime: 138769 }))).toEqual({ kind: 'background' });
    expect(judgeSessionFile(waiting({ kind: 'bg', jobId: 'x', spare: true }), facts())).toMatchObject({
      ignored: 'a spare process',
    });
  });

  it('nothing, when it is of a container or of another machine', () => {
    const domain = (pidDomain: string) => judgeSessionFile(waiting({ pidDomain }), facts());
    expect(domain('linux:0123456789abcdef0123456789abcdef:pid:[4026531836]')).toEqual({
      kind: 'interactive',
    });
    expect(domain('linux:0123456789abcdef0123456789abcdef:pid:[77]')).toMatchObject({ process: 'another' });
    expect(domain('linux:ffffffffffffffffffffffffffffffff:pid:[4026531836]')).toMatchObject({
      process: 'another',
    });
    expect(domain('something new')).toEqual({ kind: 'interactive' });
  });
});
