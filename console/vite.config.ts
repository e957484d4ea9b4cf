/**
 * The build of the console: hashed files in `dist/`, one chunk for each page, no inline script (the server's
 * Content-Security-Policy forbids it) and no source maps. `npm run dev` forwards API requests to a server on its usual
 * port, or at MERLON_URL.
 */
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

const server = loadEnv('', '.', 'MERLON_').MERLON_URL ?? 'http://127.0.0.1:8080';
const answeredByServer = ['/api', '/console', '/manage', '/openapi.json', '/docs'];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    // The notices of the libraries. A published server must include them.
    license: { fileName: 'licenses.md' },
    // The oldest browsers that support light-dark(), which the style sheets use.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Shared code goes into two files and not into forty, because a browser opens only six connections over HTTP/1.1.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, minShareCount: 3 },
            { name: 'shared', test: /src/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    // The server accepts a write of a session only from its own origin, so the proxy sets that origin.
    proxy: Object.fromEntries(
      answeredByServer.map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
});
