#!/usr/bin/env node
/**
 * Installs the Debian packages that the tests on a real desktop need. What is there already costs one question
 * to dpkg. As root or with a sudo that asks for no password; elsewhere it says what is missing and ends with 1.
 *
 *     node scripts/install-desktop.mjs
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Each package, and what needs it. */
const PACKAGES = {
  xvfb: 'the X server of the lab',
  'dbus-daemon': 'the session bus of the lab',
  'i3-wm': 'the window manager of the lab, with i3bar and i3-msg',
  i3status: 'a status program for the bar to wrap',
  'fonts-dejavu-core': 'the font of the bar, whose glyphs are all equally wide',
  xdotool: 'the pointer and the keys of the lab',
  'x11-apps': 'xwd: pictures of the screen',
  'x11-utils': 'xprop: what a window says of itself',
  'libgl1-mesa-dri': 'terminals that draw with OpenGL, without a graphics card',
  tmux: 'panes',
  screen: 'panes',
  neovim: 'a terminal inside an editor',
  sudo: 'a session below another user',
  'netcat-openbsd': 'the fastest way of the hook script',
  socat: 'the second way of the hook script',
  busybox: 'another sh for the hook script',
  curl: 'the third way of the hook script, and requests to the socket by hand',
  iproute2: 'the network that Claude Code is tested in: loopback only',
  procps: 'ps, in the tests of what a session runs',
  polybar: 'a bar',
  i3blocks: 'a bar',
  rofi: 'the launcher of the menu',
  xterm: 'a terminal with one process for each window',
  'rxvt-unicode': 'urxvt, and urxvtd with all windows in one process',
  kitty: 'a terminal, also with all windows in one process',
  alacritty: 'a terminal, also with all windows in one process',
  'gnome-terminal': 'a terminal whose windows nothing in the environment tells apart',
  stterm: 'a terminal',
  konsole: 'a terminal',
  'xfce4-terminal': 'a terminal',
  'mate-terminal': 'a terminal',
  terminator: 'a terminal',
  lxterminal: 'a terminal',
  qterminal: 'a terminal',
  tilix: 'a terminal',
  'cool-retro-term': 'a terminal',
  'emacs-gtk': 'a terminal inside an editor',
  sway: 'the window manager of the lab on Wayland, with swaybar and swaymsg',
  xwayland: 'X11 windows under sway',
  foot: 'a terminal for Wayland, also with all windows in one server',
  waybar: 'a bar for sway',
  dunst: 'a notification server without buttons, under i3',
  'mako-notifier': 'a notification server without buttons, under sway',
  'xfce4-notifyd': 'a notification server with buttons',
  'mate-notification-daemon': 'a notification server with buttons',
  'notification-daemon': 'a notification server with buttons',
  'lxqt-notificationd': 'a notification server with buttons, or a list of them',
  systemd: 'busctl: what passes over the message bus',
  grim: 'pictures of the screen under sway',
  wtype: 'the keys of the lab under sway',
};

function find(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {}
  }
  return false;
}

/** Names that dpkg does not know go to its stderr: those are missing as well. */
function missingPackages() {
  const names = Object.keys(PACKAGES);
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', `\${Package} \${db:Status-Status}\n`, ...names], {
    encoding: 'utf8',
  });
  const installed = new Set(
    (stdout ?? '').split('\n').flatMap((line) => (line.endsWith(' installed') ? [line.split(' ')[0]] : [])),
  );
  return names.filter((name) => !installed.has(name));
}

/** What to put in front of apt-get, or null where it cannot be run. */
function wayToRoot() {
  if (!find('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  return find('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
}

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Another apt may hold a lock for as long as it takes to install something: five minutes of patience. */
function aptGet(way, ...args) {
  const [program, ...rest] = [...way, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
  for (let tries = 1; ; tries++) {
    const { status, stdout, stderr } = spawnSync(program, rest, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    });
    if (status === 0) return;
    if (tries >= 60 || !/could not get lock|unable to (acquire|lock)/i.test(stderr)) {
      console.error(stdout.split('\n').slice(-15).join('\n') + stderr);
      throw new Error(`apt-get ${args[0]} failed`);
    }
    if (tries === 1) console.log('another apt is at work, waiting for it');
    pause(5000);
  }
}

const missing = missingPackages();
if (missing.length > 0) {
  const way = wayToRoot();
  if (way === null) {
    console.error('The tests on a real desktop need these Debian packages:');
    for (const name of missing) console.error(`  ${name.padEnd(18)} ${PACKAGES[name]}`);
    console.error(`Install them (sudo apt-get install --no-install-recommends ${missing.join(' ')}),`);
    console.error('or run the tests that need no desktop: npm run test:unit');
    process.exit(1);
  }
  console.log(`installing ${missing.length} Debian packages for the tests on a real desktop`);
  aptGet(way, 'update');
  aptGet(way, 'install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...missing);
}
