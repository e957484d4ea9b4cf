/**
 * Advisories of npm packages: package, CVE, GHSA, affected ranges, severity, CVSS 3.1, CWE, title.
 *
 * Public facts only. The files in `company/` say which of these packages the company uses.
 */
export const npmAdvisories = `
lodash | CVE-2020-8203 | GHSA-p6mc-m468-83gw | >=3.7.0 <4.17.19 | HIGH | 7.4 AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:H | CWE-1321 | lodash: prototype pollution in zipObjectDeep function
lodash | CVE-2021-23337 | GHSA-35jh-r3h4-6jhm | <4.17.21 | HIGH | 7.2 AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H | CWE-94 | nodejs-lodash: command injection via template
lodash | CVE-2020-28500 | GHSA-29mw-wpgm-hmr9 | <4.17.21 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L | CWE-1333 | nodejs-lodash: ReDoS via the toNumber, trim and trimEnd functions
minimist | CVE-2020-7598 | GHSA-vh95-rmgr-6w4m | <0.2.1, >=1.0.0 <1.2.3 | MEDIUM | 5.6 AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L | CWE-1321 | nodejs-minimist: prototype pollution allows adding or modifying properties of Object.prototype
minimist | CVE-2021-44906 | GHSA-xvch-5gv4-984h | <0.2.4, >=1.0.0 <1.2.6 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-1321 | minimist: prototype pollution
axios | CVE-2021-3749 | GHSA-cph5-m8f7-6c5x | <0.21.2 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | nodejs-axios: regular expression denial of service in trim function
axios | CVE-2023-45857 | GHSA-wf5p-g6vw-rhxx | >=0.8.1 <0.28.0, >=1.0.0 <1.6.0 | MEDIUM | 6.5 AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N | CWE-352 | axios: exposure of confidential data stored in cookies
axios | CVE-2024-39338 | GHSA-8hc4-vh64-cxmj | >=1.3.2 <1.7.4 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N | CWE-918 | axios: server-side request forgery
follow-redirects | CVE-2022-0155 | GHSA-74fj-2j2h-c42q | <1.14.7 | MEDIUM | 6.5 AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N | CWE-359 | follow-redirects: exposure of private personal information to an unauthorized actor
follow-redirects | CVE-2023-26159 | GHSA-jchw-25xp-jwwc | <1.15.4 | MEDIUM | 6.1 AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N | CWE-601 | follow-redirects: improper input validation due to the improper handling of URLs by url.parse()
follow-redirects | CVE-2024-28849 | GHSA-cxjh-pqwp-8mfp | <1.15.6 | MEDIUM | 6.5 AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N | CWE-200 | follow-redirects: possible credential leak
express | CVE-2024-29041 | GHSA-rv95-896h-c2vc | <4.19.2 | MEDIUM | 6.1 AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N | CWE-601 | express: cause malformed URLs to be evaluated
express | CVE-2024-43796 | GHSA-qw6h-vgh9-j6wx | <4.20.0 | MEDIUM | 5.0 AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L | CWE-79 | express: improper input handling in express redirects
qs | CVE-2022-24999 | GHSA-hrpp-h998-j3pp | <6.2.4, >=6.5.0 <6.5.3, >=6.7.0 <6.7.3, >=6.9.0 <6.9.7 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1321 | express: "qs" prototype poisoning causes the hang of the node process
body-parser | CVE-2024-45590 | GHSA-qwcr-r2fm-qrc7 | <1.20.3 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-405 | body-parser: denial of service when url encoding is enabled
send | CVE-2024-43799 | GHSA-m6fv-jmcg-4jfg | <0.19.0 | MEDIUM | 5.0 AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L | CWE-79 | send: code execution vulnerability in send library
serve-static | CVE-2024-43800 | GHSA-cm22-4g7w-348p | <1.16.0 | MEDIUM | 5.0 AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L | CWE-79 | serve-static: improper sanitization in serve-static
path-to-regexp | CVE-2024-45296 | GHSA-9wv6-86v2-598j | <0.1.10, >=1.0.0 <1.9.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | path-to-regexp: backtracking regular expressions cause ReDoS
cookie | CVE-2024-47764 | GHSA-pxg6-pf52-xh8x | <0.7.0 | LOW | 3.7 AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N | CWE-74 | cookie: cookie name, path, and domain with out of bounds characters
jsonwebtoken | CVE-2022-23539 | GHSA-8cf7-32gw-wr33 | <9.0.0 | HIGH | 8.1 AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N | CWE-327 | jsonwebtoken: unrestricted key type could lead to legacy keys usage
jsonwebtoken | CVE-2022-23540 | GHSA-qwph-4952-7xr6 | <9.0.0 | MEDIUM | 6.4 AV:N/AC:H/PR:L/UI:N/S:U/C:L/I:H/A:L | CWE-287 | jsonwebtoken: insecure default algorithm in jwt.verify() could lead to signature validation bypass
jsonwebtoken | CVE-2022-23541 | GHSA-hjrf-2m68-5959 | <9.0.0 | MEDIUM | 5.0 AV:N/AC:H/PR:L/UI:N/S:U/C:L/I:L/A:L | CWE-287 | jsonwebtoken: insecure implementation of key retrieval function could lead to forgeable tokens
semver | CVE-2022-25883 | GHSA-c2qf-rxjj-qqgw | <5.7.2, >=6.0.0 <6.3.1, >=7.0.0 <7.5.2 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | nodejs-semver: regular expression denial of service
json5 | CVE-2022-46175 | GHSA-9c47-m6qq-7p4h | <1.0.2, >=2.0.0 <2.2.2 | HIGH | 7.1 AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:L/A:H | CWE-1321 | json5: prototype pollution in JSON5 via parse method
node-fetch | CVE-2022-0235 | GHSA-r683-j2x4-v87g | <2.6.7, >=3.0.0 <3.1.1 | HIGH | 8.8 AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H | CWE-601 | node-fetch: exposure of sensitive information to an unauthorized actor
ws | CVE-2024-37890 | GHSA-3h5v-q93c-6h6q | >=2.1.0 <5.2.4, >=6.0.0 <6.2.3, >=7.0.0 <7.5.10, >=8.0.0 <8.17.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-476 | nodejs-ws: denial of service when handling a request with many HTTP headers
word-wrap | CVE-2023-26115 | GHSA-j8xg-fqg3-53r7 | <1.2.4 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L | CWE-1333 | word-wrap: ReDoS
tough-cookie | CVE-2023-26136 | GHSA-72xf-g2v4-qvf3 | <4.1.3 | MEDIUM | 6.5 AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N | CWE-1321 | tough-cookie: prototype pollution in cookie memstore
moment | CVE-2022-24785 | GHSA-8hfj-j24r-96c4 | <2.29.2 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N | CWE-22 | moment: path traversal in moment.locale
moment | CVE-2022-31129 | GHSA-wc69-rhjr-hc9g | >=2.18.0 <2.29.4 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | moment: inefficient parsing algorithm resulting in DoS
marked | CVE-2022-21680 | GHSA-rrrm-qjm4-v8hf | <4.0.10 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | marked: regular expression block.def may lead to denial of service
marked | CVE-2022-21681 | GHSA-5v2h-r2cx-5xgj | <4.0.10 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | marked: regular expression inline.reflinkSearch may lead to denial of service
ejs | CVE-2022-29078 | GHSA-phwq-j96m-2c2q | <3.1.7 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-94 | ejs: server-side template injection in outputFunctionName
braces | CVE-2024-4068 | GHSA-grv7-fg5c-xmjg | <3.0.3 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1050 | braces: fails to limit the number of characters it can handle
micromatch | CVE-2024-4067 | GHSA-952p-6rrq-rcjv | <4.0.8 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L | CWE-1333 | micromatch: vulnerable to regular expression denial of service
ip | CVE-2023-42282 | GHSA-78xj-cgh5-2h22 | <1.1.9, >=2.0.0 <2.0.1 | LOW | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-918 | nodejs-ip: arbitrary code execution via the isPublic() function
ip | CVE-2024-29415 | GHSA-2p57-rm9w-gvfp | <=2.0.1 | HIGH | 8.1 AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-918 | node-ip: incomplete fix for CVE-2023-42282
socket.io-parser | CVE-2023-32695 | GHSA-cqmj-92xf-r6r9 | >=3.4.0 <3.4.3, >=4.0.4 <4.2.3 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-20 | socket.io parser is a socket.io encoder and decoder: insufficient validation when decoding a packet
engine.io | CVE-2022-41940 | GHSA-r7qp-cfhv-p84w | <3.6.1, >=4.0.0 <6.2.1 | MEDIUM | 6.5 AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H | CWE-248 | engine.io: specially crafted HTTP request can trigger an uncaught exception
multer | CVE-2025-47935 | GHSA-44fp-w29j-9vj5 | <2.0.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-401 | multer: vulnerable to denial of service via memory leaks from unclosed streams
nth-check | CVE-2021-3803 | GHSA-rp65-9cf3-cjxr | <2.0.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | nodejs-nth-check: inefficient regular expression complexity
postcss | CVE-2023-44270 | GHSA-7fh5-64p2-3v2j | <8.4.31 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N | CWE-74 | PostCSS: improper input validation in PostCSS
loader-utils | CVE-2022-37601 | GHSA-76p3-8jx3-jpfq | <1.4.1, >=2.0.0 <2.0.3 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-1321 | loader-utils: prototype pollution in function parseQuery in parseQuery.js
decode-uri-component | CVE-2022-38900 | GHSA-w573-4hg7-7wgq | <0.2.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-20 | decode-uri-component: improper input validation resulting in DoS
shell-quote | CVE-2021-42740 | GHSA-g4rg-993r-mgx7 | >=1.6.3 <1.7.3 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-77 | nodejs-shell-quote: incorrect handling of the first byte lets commands be injected
@babel/traverse | CVE-2023-45133 | GHSA-67hx-6x53-jw92 | <7.23.2 | CRITICAL | 9.3 AV:L/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H | CWE-184 | babel: arbitrary code execution
fast-xml-parser | CVE-2023-34104 | GHSA-6w63-h3fj-q4vw | >=4.1.3 <4.2.4 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | fast-xml-parser: regex injection via doctype entities
fast-xml-parser | CVE-2024-41818 | GHSA-mpg4-rc92-vx8v | >=4.2.4 <4.4.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | fast-xml-parser: ReDoS at currency parsing
react-native | CVE-2020-1920 | - | >=0.59.0 <0.62.3, >=0.63.0 <0.64.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | react-native: regular expression denial of service in validateBaseUrl
ua-parser-js | CVE-2022-25927 | GHSA-fhg7-m89q-25r3 | >=0.7.30 <0.7.33, >=0.8.1 <1.0.33 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | ua-parser-js: ReDoS via the trim() function
cross-spawn | CVE-2024-21538 | GHSA-3xgq-45jj-v275 | <6.0.6, >=7.0.0 <7.0.5 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | cross-spawn: regular expression denial of service
nanoid | CVE-2024-55565 | GHSA-mwcw-c2x4-8c55 | <3.3.8 | MEDIUM | 4.3 AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:L/A:N | CWE-835 | nanoid: mishandles non-integer values
`;
