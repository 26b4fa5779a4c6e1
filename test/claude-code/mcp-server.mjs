// An MCP server on stdio with one tool, `echo` (Model Context Protocol, "Transports" and "Tools").
import { createInterface } from 'node:readline';

const tool = {
  name: 'echo',
  description: 'Echo text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

function resultOf({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [tool] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: `echo: ${params.arguments.text}` }] };
  return {};
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`);
});
