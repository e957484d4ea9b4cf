// The check of Node is loaded first, and TypeScript only after it.
import '@merlon/server/bin/require-node.js';

const { main } = await import('../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
