#!/usr/bin/env node
// The check of Node is loaded first, and TypeScript only after it.
import './require-node.js';
import './keep-compiled-code.js';

const { main } = await import('../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
