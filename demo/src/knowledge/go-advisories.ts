/**
 * Advisories of Go modules: module, CVE, GHSA, affected ranges, severity, CVSS 3.1, CWE, title.
 *
 * Public facts only. The files in `company/` say which of these modules the company uses.
 */
export const goAdvisories = `
golang.org/x/net | CVE-2022-41723 | GHSA-vvpx-j8f3-3w6h | <0.7.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-400 | golang.org/x/net/http2: avoid quadratic complexity in HPACK decoding
golang.org/x/net | CVE-2023-3978 | GHSA-2wrh-6pvc-2jm9 | <0.13.0 | MEDIUM | 6.1 AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N | CWE-79 | golang.org/x/net/html: cross site scripting
golang.org/x/net | CVE-2023-39325 | GHSA-4374-p667-p6c8 | <0.17.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-770 | golang: net/http, x/net/http2: rapid stream resets can cause excessive work
golang.org/x/net | CVE-2023-44487 | GHSA-qppj-fm5r-hxr3 | <0.17.0 | MEDIUM | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-400 | HTTP/2: multiple HTTP/2 enabled web servers are vulnerable to a DDoS attack (Rapid Reset Attack)
golang.org/x/net | CVE-2023-45288 | GHSA-4v7x-pqxf-cx7m | <0.23.0 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L | CWE-770 | golang: net/http, x/net/http2: unlimited number of CONTINUATION frames causes DoS
golang.org/x/crypto | CVE-2022-27191 | GHSA-8c26-wmh5-6g9v | <0.0.0-20220314234659-1baeb1ce4c0b | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-327 | golang: crash in a golang.org/x/crypto/ssh server
golang.org/x/crypto | CVE-2023-48795 | GHSA-45x7-px36-x8w8 | <0.17.0 | MEDIUM | 5.9 AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N | CWE-354 | ssh: prefix truncation attack on Binary Packet Protocol (BPP)
golang.org/x/crypto | CVE-2024-45337 | GHSA-v778-237x-gjrc | <0.31.0 | CRITICAL | 9.1 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N | CWE-863 | golang.org/x/crypto/ssh: misuse of ServerConfig.PublicKeyCallback may cause authorization bypass
golang.org/x/text | CVE-2022-32149 | GHSA-69ch-w2m2-3vjp | <0.3.8 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-772 | golang: golang.org/x/text/language: ParseAcceptLanguage takes a long time to parse complex tags
google.golang.org/grpc | CVE-2023-44487 | GHSA-m425-mq94-257g | <1.56.3, >=1.57.0 <1.57.1, >=1.58.0 <1.58.3 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-400 | HTTP/2: multiple HTTP/2 enabled web servers are vulnerable to a DDoS attack (Rapid Reset Attack)
google.golang.org/protobuf | CVE-2024-24786 | GHSA-8r3f-844c-mc37 | <1.33.0 | MEDIUM | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-835 | golang-protobuf: encoding/protojson: infinite loop in protojson.Unmarshal
github.com/golang-jwt/jwt/v4 | CVE-2024-51744 | GHSA-29wx-vh33-7x7r | <4.5.1 | LOW | 3.1 AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N | CWE-347 | golang-jwt: bad documentation of error handling in ParseWithClaims can lead to potentially dangerous situations
github.com/golang-jwt/jwt/v4 | CVE-2025-30204 | GHSA-mh63-6h87-95cp | <4.5.2 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-405 | golang-jwt/jwt: jwt-go allows excessive memory allocation during header parsing
github.com/gin-gonic/gin | CVE-2023-26125 | GHSA-3vp4-m3rf-835h | <1.9.0 | MEDIUM | 5.6 AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L | CWE-20 | gin: improper input validation of the X-Forwarded-Prefix header
github.com/gin-gonic/gin | CVE-2023-29401 | GHSA-2c4m-59x9-fr2g | >=1.3.1 <1.9.1 | MEDIUM | 4.3 AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N | CWE-494 | golang-github-gin-gonic-gin: improper filename in the Content-Disposition header
github.com/jackc/pgproto3/v2 | CVE-2024-27304 | GHSA-7jwh-3vrq-q3m8 | <2.3.3 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-89 | pgx: SQL injection via protocol message size overflow
github.com/jackc/pgx/v4 | CVE-2024-27289 | GHSA-m7wr-2xf7-cm9p | <4.18.2 | HIGH | 8.1 AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-89 | pgx: SQL injection via line comment creation
github.com/prometheus/client_golang | CVE-2022-21698 | GHSA-cg3q-j54f-5p7p | <1.11.1 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-770 | prometheus/client_golang: denial of service using InstrumentHandlerCounter
github.com/nats-io/nats-server/v2 | CVE-2023-47090 | GHSA-fr2g-9hjm-wr23 | >=2.2.0 <2.9.23, >=2.10.0 <2.10.2 | MEDIUM | 6.5 AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N | CWE-863 | nats-server: authorization bypass through the implicit $G user
github.com/docker/docker | CVE-2024-41110 | GHSA-v23v-6jw2-98fq | >=19.03.0 <23.0.15, >=24.0.0 <25.0.6, >=26.0.0 <26.1.5 | CRITICAL | 9.9 AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H | CWE-187 | moby: authz zero length regression
github.com/docker/docker | CVE-2024-24557 | GHSA-xw73-rw38-6vjc | <24.0.9, >=25.0.0 <25.0.2 | MEDIUM | 6.9 AV:L/AC:H/PR:N/UI:R/S:C/C:L/I:H/A:L | CWE-345 | moby: classic builder cache poisoning
`;
