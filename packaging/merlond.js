#!/usr/bin/env node
// The program of the published package. The check of Node comes first, because an older one cannot link the server's
// modules.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(`Merlon needs Node 22.15 or later and runs on ${process.versions.node}.\n`);
  process.exit(2);
}
await import('../dist/server/bin/keep-compiled-code.js');
const { main } = await import('../dist/server/src/main.js');
process.exitCode = await main(process.argv.slice(2));
