// What V8 made of a CommonJS file when it was run once, kept beside it: the start of a short command is mostly
// compiling. Another V8 than the one that wrote it takes the file as it is (node:vm, `cachedData`).
const { readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const wrap = (source) => `(function(exports,require,module,__filename,__dirname){${source}\n})`;

function compile(file) {
  let cachedData;
  try {
    cachedData = readFileSync(`${file}.cache`);
  } catch {
    // None was written.
  }
  return new Script(wrap(readFileSync(file, 'utf8')), { filename: file, cachedData });
}

function run(script, file) {
  const module = { exports: {} };
  const folder = dirname(file);
  // Not createRequire: node:module takes as long to read as the list takes to write.
  const requireThere = (id) => require(id.startsWith('.') ? join(folder, id) : id);
  script.runInThisContext()(module.exports, requireThere, module, file, folder);
  return module.exports;
}

/** @returns the exports of the file */
exports.load = (file) => run(compile(file), file);

/** Runs the file, and `use` with its exports; when the process ends, what was compiled by then is written. */
exports.write = (file, use) => {
  const script = compile(file);
  process.on('exit', () => writeFileSync(`${file}.cache`, script.createCachedData()));
  return use(run(script, file));
};
