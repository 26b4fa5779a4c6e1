#!/usr/bin/env node
/**
 * Runs tests in any clone, also a fresh one: packages, build and what the tests need of the machine come first.
 * The last line says how many passed and failed in all, as Vitest counted them.
 *
 *     node scripts/test.mjs [unit] [programs] [lab] [claude] [-- VITEST ARGUMENTS…]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, installPackages, root, run } from './set-up.mjs';

const suites = {
  unit: { config: 'vitest.config.ts', needs: [] },
  programs: { config: 'vitest.programs.config.ts', needs: ['install-desktop.mjs'] },
  lab: { config: 'vitest.lab.config.ts', needs: ['install-desktop.mjs'] },
  claude: { config: 'vitest.claude.config.ts', needs: ['install-desktop.mjs', 'install-claude.mjs'] },
};

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const names = words.slice(0, end);
const vitestArguments = words.slice(end + 1);
const unknown = names.find((name) => !(name in suites));
if (unknown !== undefined || names.length === 0) {
  console.error(`usage: node scripts/test.mjs ${Object.keys(suites).join('|')}… [-- VITEST ARGUMENTS…]`);
  process.exit(2);
}

/**
 * Runs the lab where no process of the user's own desktop can be seen, as his sessions would stand on the lab's
 * bars. Root gives each lab a user of its own instead. The folder of the X servers' sockets belongs to root, who is
 * nobody there, and wlroots starts no XWayland then: so there is a fresh one, of the user.
 */
const ownSockets = '[ ! -d /tmp/.X11-unix ] || mount -t tmpfs -o mode=1777 tmpfs /tmp/.X11-unix';
const apart = [
  ...[
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    '--kill-child',
    '--',
  ],
  ...['sh', '-c', `${ownSockets} && exec "$@"`, 'sh'],
  ...['unshare', '--user', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`, '--'],
];
const canBeApart = () =>
  process.getuid?.() !== 0 && spawnSync(apart[0], [...apart.slice(1), 'true']).status === 0;

/** A file that could not even be loaded has no tests to count: it is one failure. */
function count(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    files: report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name),
  };
}

function runOnce(name, report, vitestArguments) {
  const [program, ...before] = [...(name === 'lab' && canBeApart() ? apart : []), process.execPath];
  const { status } = spawnSync(
    program,
    [
      ...before,
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      suites[name].config,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...vitestArguments,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  try {
    const counted = count(JSON.parse(readFileSync(report, 'utf8')));
    // An error outside of every test, such as a rejection that nobody handled, fails the run all the same.
    return status !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
  } catch {
    console.error(`${name} tests: Vitest wrote no report`);
    return { passed: 0, failed: 1, files: [] };
  }
}

/** Of so many files of a suite none can have failed by the moment alone. */
const fewFiles = 4;

/**
 * Real desktops and terminals on a busy machine: a few files that failed are run once more, by themselves, and it is
 * said that they were. What fails then too, fails.
 */
function runSuite(name, reports) {
  console.log(`${name} tests`);
  const first = runOnce(name, join(reports, `${name}.json`), vitestArguments);
  const { files } = first;
  if (first.failed === 0 || files.length === 0 || files.length > fewFiles || vitestArguments.length > 0) {
    return first;
  }
  console.log(`${name} tests: once more, as they failed: ${files.join(', ')}`);
  const second = runOnce(name, join(reports, `${name}-again.json`), files);
  if (second.failed === 0) unsteady.push(...files);
  return { ...second, passed: first.passed + first.failed - second.failed };
}

const unsteady = [];
installPackages();
build();
for (const script of new Set(names.flatMap((name) => suites[name].needs)))
  run(process.execPath, [`scripts/${script}`], { stdio: ['ignore', 'inherit', 'inherit'] });

const reports = mkdtempSync(join(tmpdir(), 'tsmux-tests-'));
const counts = names.map((name) => runSuite(name, reports));
rmSync(reports, { recursive: true, force: true });

const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
if (unsteady.length > 0) console.log(`failed at first, and passed by themselves: ${unsteady.join(', ')}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
