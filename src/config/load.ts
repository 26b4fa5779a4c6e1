import { parse, TomlError } from 'smol-toml';
import type { $ZodIssue } from 'zod/v4/core';
import { hasCode } from '../system/error-code.ts';
import { readRegularFile } from '../system/read-file.ts';
import { type Position, positionOf } from './position.ts';
import { type Config, configSchema, defaultConfig } from './schema.ts';

/** Bytes of config.toml. */
const LARGEST = 1024 * 1024;

/** What is wrong with the file, and where; line and column count from 1. */
export interface Problem extends Position {
  readonly file: string;
  /** What was expected, and what stands there instead. */
  readonly message: string;
}

export interface Loaded {
  readonly config: Config;
  /** Empty when `config` is what the file says. */
  readonly problems: readonly Problem[];
}

/**
 * Reads config.toml. No file: the defaults. A file with a problem counts as a whole as not read, and `lastGood`
 * stays in force: half of a configuration is one that nobody wrote. Never throws.
 */
export function loadConfig(file: string, lastGood: Config = defaultConfig): Loaded {
  let source: string;
  try {
    source = readRegularFile(file, LARGEST).toString('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { config: defaultConfig, problems: [] };
    const why = error instanceof Error ? error.message : String(error);
    return { config: lastGood, problems: [{ file, line: 1, column: 1, message: `cannot be read: ${why}` }] };
  }
  return readConfig(source, file, lastGood);
}

export function readConfig(source: string, file: string, lastGood: Config = defaultConfig): Loaded {
  let table: unknown;
  try {
    table = parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    return {
      config: lastGood,
      problems: [{ file, line: error.line, column: error.column, message: `not valid TOML: ${message}` }],
    };
  }
  const read = configSchema.safeParse(table);
  if (read.success) return { config: read.data, problems: [] };
  return {
    config: lastGood,
    problems: read.error.issues
      .flatMap((issue) => described(issue, table, source, file))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

/** `~/.config/tsmux/config.toml:3:1: bar.budget: expected a number of at least 20, found 5` */
export function problemLine(problem: Problem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}

function described(issue: $ZodIssue, table: unknown, source: string, file: string): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      file,
      ...positionOf(source, [...path, key]),
      message: `${[...path, key].join('.')}: no such key; there are ${knownKeys(path)}`,
    }));
  }
  const found = issue.code === 'invalid_key' ? path.at(-1) : valueAt(table, path);
  const message = `${path.join('.')}: expected ${expected(issue)}, found ${shown(found)}`;
  return [{ file, ...positionOf(source, path), message }];
}

function expected(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'invalid_type':
      return EXPECTED_TYPES[issue.expected] ?? issue.expected;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'too_small':
      return `a number of at least ${issue.minimum}`;
    case 'too_big':
      return `a number of at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

const EXPECTED_TYPES: Readonly<Record<string, string>> = {
  object: 'a table',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  record: 'a table',
};

/** The keys that the schema has for the table at this path; defaults and optional parts wrap it. */
function knownKeys(path: readonly string[]): string {
  let at: unknown = configSchema;
  for (const key of path) at = /^\d+$/.test(key) ? elementOf(at) : shapeOf(at)[key];
  return Object.keys(shapeOf(at)).join(', ');
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { shape } = definitionOf(schema, 'shape');
  return isRecord(shape) ? shape : {};
}

function elementOf(schema: unknown): unknown {
  return definitionOf(schema, 'element').element;
}

/** The definition that has this part, of the schema or of what it wraps. */
function definitionOf(schema: unknown, part: string): Readonly<Record<string, unknown>> {
  let at = schema;
  while (isRecord(at)) {
    const definition = isRecord(at.def) ? at.def : {};
    if (part in definition) return definition;
    at = definition.innerType;
  }
  return {};
}

function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? at[Number(key)] : isRecord(at) ? at[key] : undefined),
    table,
  );
}

function shown(value: unknown): string {
  if (isRecord(value)) return 'a table';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
