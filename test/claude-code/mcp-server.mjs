// An MCP server on stdio (Model Context Protocol, "Transports", "Tools", "Elicitation"): `echo` gives back a text, `deploy`
// has the user fill in a form. Makes the file that is its argument when Claude Code knows its tools.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tools = [
  { name: 'echo', description: 'Echo text', inputSchema: text },
  { name: 'deploy', description: 'Deploy the shop', inputSchema: { type: 'object', properties: {} } },
];
const form = {
  message: 'Please give the deploy target',
  requestedSchema: {
    type: 'object',
    properties: { target: { type: 'string', title: 'Target', enum: ['staging', 'production'] } },
    required: ['target'],
  },
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const said = (words) => ({ content: [{ type: 'text', text: words }] });
/** What to do with the answer to a request of our own, by its id. */
const asked = new Map();

function elicit() {
  const id = `form-${asked.size}`;
  send({ id, method: 'elicitation/create', params: form });
  return new Promise((answered) => asked.set(id, answered));
}

async function resultOf({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  if (params.name === 'echo') return said(`echo: ${params.arguments.text}`);
  const { action, content } = await elicit();
  return said(`deploy: ${action} ${content?.target ?? ''}`);
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) asked.get(message.id)?.(message.result);
  else if (message.id !== undefined) send({ id: message.id, result: await resultOf(message) });
  if (message.method === 'tools/list' && process.argv[2] !== undefined) writeFileSync(process.argv[2], '');
});
