/**
 * The web shop in which Kestrel Freight's customers request quotes and book: TypeScript, npm.
 *
 * Its story: lodash is upgraded, comes back with a reverted lockfile and is upgraded again. A route file is renamed, a
 * finding is suppressed in the source, and a feature branch and a pull request add vulnerable packages.
 */
import type { Repository } from './repository.ts';

export const storefront: Repository = {
  name: 'kestrel-freight/storefront',
  schedule: { trivy: 1, semgrep: 1, codeql: 1, gitleaks: 4 },
  codeqlLanguage: 'javascript-typescript',
  gitleaksScope: 'history',
  manifests: [
    {
      path: 'package-lock.json',
      ecosystem: 'npm',
      packages: {
        lodash: { 0: '4.17.15', 2: '4.17.21', 5: '4.17.15', 7: '4.17.21' },
        minimist: { 0: '1.2.0', 3: '1.2.8' },
        axios: { 0: '0.21.1', 4: '1.6.0' },
        'follow-redirects': { 0: '1.14.4', 4: '1.15.4' },
        express: { 0: '4.17.1', 6: '4.19.2' },
        qs: { 0: '6.7.0', 6: '6.11.0' },
        'body-parser': { 0: '1.19.0', 6: '1.20.2' },
        send: { 0: '0.17.1', 6: '0.18.0' },
        'serve-static': { 0: '1.14.1', 6: '1.15.0' },
        'path-to-regexp': '0.1.7',
        cookie: { 0: '0.4.0', 6: '0.6.0' },
        jsonwebtoken: { 0: '8.5.1', 5: '9.0.2' },
        semver: { 0: '7.3.5', 3: '7.5.4' },
        json5: { 0: '2.2.0', 3: '2.2.3' },
        'node-fetch': { 0: '2.6.1', 2: '2.6.7' },
        moment: { 0: '2.29.1', 7: '2.29.4' },
        marked: { 1: '2.1.3' },
        ejs: { 0: '3.1.6', 1: '3.1.9' },
        braces: '3.0.2',
        micromatch: '4.0.5',
        'nth-check': '1.0.2',
        postcss: { 0: '8.4.21', 8: '8.4.31' },
        'word-wrap': '1.2.3',
        'tough-cookie': { 0: '4.0.0', 4: '4.1.4' },
        multer: { 3: '1.4.5' },
        'cross-spawn': '7.0.3',
        nanoid: '3.3.6',
        react: '18.2.0',
        'react-dom': '18.2.0',
        helmet: '7.1.0',
        pg: '8.11.3',
        zod: '3.22.4',
      },
    },
  ],
  code: String.raw`
tainted-sql-string | src/routes/quotes.ts:44 | 0- | const sql = "SELECT * FROM quote WHERE reference = '" + req.query.reference + "'";
tainted-sql-string | src/routes/bookings.ts:71 | 0-1,5-6 | const sql = "SELECT id FROM booking WHERE customer = " + req.params.customer;
express-open-redirect | src/routes/login.ts:58 | 0-4 | res.redirect(req.query.next as string);
express-open-redirect | src/routes/logout.ts:17 | 2- | return res.redirect(String(req.query.returnTo));
detect-non-literal-regexp | src/search/port-search.ts:23 | 0- | const pattern = new RegExp('^' + input, 'i');
detect-non-literal-regexp | src/search/container-search.ts:31 | 0-5 | return new RegExp(prefix + '[0-9]{7}').test(value);
path-join-resolve-traversal | src/documents/download.ts:36 | 0- | const file = path.join(documentRoot, req.params.name);
path-join-resolve-traversal | src/documents/preview.ts:29 | 3- | const preview = path.resolve(previewRoot, name);
insecure-document-method | src/client/banner.ts:12 | 0- | element.innerHTML = banner.text;
insecure-document-method | src/client/print-label.ts:40 | 4- | frame.document.write(label);
react-dangerouslysetinnerhtml | src/client/components/NewsItem.tsx:19 | 0- | return <article dangerouslySetInnerHTML={{ __html: item.body }} />;
react-dangerouslysetinnerhtml | src/client/components/Terms.tsx:27 | 0- | <div dangerouslySetInnerHTML={{ __html: terms }} />
hardcoded-jwt-secret | src/auth/guest-session.ts:33 | 0-2 | const guest = jwt.sign({ role: 'guest' }, 'change-me');
express-check-csurf-middleware-usage | src/server.ts:21 | 0- | const app = express();
direct-response-write | src/routes/tracking-widget.ts:48 | 0- | res.send('<p>No shipment ' + req.query.id + '</p>');
direct-response-write | src/routes/live-quotes.ts:26 | 6-,feature/live-quotes | res.write('data: ' + req.query.lane);
http-request | src/clients/tariff-client.ts:15 | 0-6 | const response = await fetch('http://tariffs.kestrel.example/v1/rates');
unsafe-formatstring | src/log.ts:9 | 0- | console.log('request ' + req.url, details);
js/sql-injection | src/routes/quotes.ts:46 | 0- | const rows = await db.query(sql);
js/sql-injection | src/routes/bookings.ts:72 | 0-1,5-6 | const found = await pool.query(sql);
js/reflected-xss | src/routes/tracking-widget.ts:48 | 0- | res.send('<p>No shipment ' + req.query.id + '</p>');
js/request-forgery | src/clients/webhook-client.ts:39 | 0-3 | await axios.post(subscription.url, payload);
js/request-forgery | src/routes/live-quotes.ts:41 | 6-,feature/live-quotes | const rates = await axios.get(req.query.source);
js/path-injection | src/documents/download.ts:38 | 0- | return fs.createReadStream(file).pipe(res);
js/missing-rate-limiting | src/routes/login.ts:31 | 0- | router.post('/login', async (req, res) => {
js/missing-rate-limiting | src/routes/quotes.ts:18 | 0- | router.get('/quotes', async (req, res) => {
js/missing-rate-limiting | src/routes/bookings.ts:22 | 0-3 | router.post('/bookings', async (req, res) => {
js/clear-text-logging | src/auth/password-reset.ts:52 | 0- | logger.info('reset for', user.email, password);
js/incomplete-sanitization | src/search/port-search.ts:19 | 0- | const input = query.replace('*', '');
js/insecure-randomness | src/auth/guest-session.ts:29 | 0- | const id = Math.random().toString(36).slice(2);
js/polynomial-redos | src/search/address.ts:14 | 1- | const zip = /(\d+\s*)+$/.exec(line);
js/server-side-unvalidated-url-redirection | src/routes/login.ts:58 | 0-4 | res.redirect(req.query.next as string);
js/stack-trace-exposure | src/domain/errors.ts:22 | 0- | res.status(500).send(error.stack);
`,
  misconfigurations: `
DS002 | Dockerfile:1-24 | 0-3 | Dockerfile | FROM registry.kestrel.example/base/node:20
DS026 | Dockerfile:1-24 | 0- | Dockerfile | FROM registry.kestrel.example/base/node:20
DS001 | tools/preview/Dockerfile:1-1 | 0- | tools/preview/Dockerfile | FROM nginx:latest
KSV014 | deploy/storefront.yaml:21-34 | 0- | storefront | - name: storefront
KSV018 | deploy/storefront.yaml:21-34 | 0-5 | storefront | - name: storefront
`,
  secrets: `
stripe | src/payments/stripe-client.ts:7 | 0-2 | const key = process.env.STRIPE_KEY ?? '«*»';
aws-key | .env.staging:3 | 0-3 | AWS_ACCESS_KEY_ID=«*»
aws-secret | .env.staging:4 | 0-3 | AWS_SECRET_ACCESS_KEY=«*»
slack-hook | scripts/notify-release.sh:11 | 0- | curl -X POST -d "$payload" «*»
generic | test/fixtures/carrier.ts:5 | 0- | export const carrierApiKey = '«kestrel-dummy-carrier-key»';
generic | src/live/socket.ts:14 | 6-,feature/live-quotes | const apiKey = '«kestrel-dummy-live-key»';
`,
  licenses: `
mariadb | LGPL-2.1 | restricted | HIGH | package-lock.json | 0-4
@ckeditor/ckeditor5-build-classic | GPL-2.0 | restricted | HIGH | package-lock.json | 6-
dompurify | MPL-2.0 | reciprocal | MEDIUM | package-lock.json | 0-
`,
  branches: [
    {
      ref: 'feature/live-quotes',
      refType: 'branch',
      cut: 3,
      scanned: [4, 5],
      daysLater: 2,
      tools: ['trivy', 'semgrep', 'codeql'],
      packages: { 'package-lock.json': { 'socket.io-parser': '4.0.4', 'engine.io': '6.1.0', ws: '8.2.3' } },
    },
    {
      ref: 'refs/pull/214/head',
      refType: 'pull_request',
      cut: 7,
      scanned: [7],
      daysLater: 4,
      tools: ['trivy', 'semgrep'],
      packages: { 'package-lock.json': { 'fast-xml-parser': '4.2.2', 'shell-quote': '1.7.2' } },
    },
    {
      ref: 'v3.8.0',
      refType: 'tag',
      cut: 4,
      scanned: [4],
      daysLater: 1,
      tools: ['trivy'],
    },
  ],
  renames: [{ week: 4, from: 'src/routes/quotes.ts', to: 'src/features/quotes/router.ts' }],
  edits: [
    {
      week: 5,
      path: 'src/routes/tracking-widget.ts',
      from: "res.send('<p>No shipment ' + req.query.id + '</p>');",
      to: "res.status(404).send('<p>There is no shipment ' + req.query.id + '</p>');",
    },
  ],
  suppressions: [
    {
      week: 3,
      code: '<div dangerouslySetInnerHTML={{ __html: terms }} />',
      justification: 'The terms are written by our legal team and built into the release.',
    },
  ],
};
