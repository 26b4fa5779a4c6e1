/**
 * Terminals inside VS Code and its kin, JetBrains, Zed and Emacs: one process, several windows, and nothing tells
 * which of them has the terminal. Most show their folder in the title as one of its parts
 * (`index.ts - webshop - Visual Studio Code`): windows whose title names a folder in which the session is are left.
 */
import type { Terminal } from './terminal.ts';

const names =
  /^(code|code-oss|code-insiders|codium|vscodium|cursor|windsurf|zed|zed-editor|emacs|jetbrains-.*)$/i;

/** `a - b — c` → a, b, c. */
function partsOf(title: string): string[] {
  return title.split(/\s[-–—|]\s|: /).map((part) => part.replace(/^[●*]\s*/, '').trim());
}

export const editor: Terminal = {
  name: 'editor',

  is: (process, windows) =>
    names.test(process.comm.replace(/-(gtk|x|nox|pgtk|lucid).*$/, '')) ||
    windows.some(({ appId }) => appId !== null && names.test(appId)),

  // It would be written into the buffer.
  showsTitle: false,
  panelled: true,

  async ask({ inside, windows }, { processes }) {
    // The terminal's own child stands in the window's folder longest; the session may have moved on.
    for (const { pid } of inside.toReversed()) {
      const cwd = processes.cwd(pid);
      if (cwd === null) continue;
      // Not the root's, and not the user's home, which is in the title of every other window.
      const folders = new Set(cwd.split('/').slice(3));
      const left = windows.filter(({ title }) => partsOf(title).some((part) => folders.has(part)));
      if (left.length > 0) return { windows: left, how: `its title names a folder of ${cwd}`, pane: null };
    }
    return null;
  },
};
