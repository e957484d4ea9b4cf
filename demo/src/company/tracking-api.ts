/**
 * The API for the location of a shipment: Go.
 *
 * Its story: the HTTP/2 advisories (Rapid Reset) are in two modules and are fixed in two steps. A pull request adds a
 * module with an authorisation bypass and is not merged.
 */
import type { Repository } from './repository.ts';

export const trackingApi: Repository = {
  name: 'kestrel-freight/tracking-api',
  schedule: { trivy: 1, codeql: 2 },
  codeqlLanguage: 'go',
  manifests: [
    {
      path: 'go.mod',
      ecosystem: 'gomod',
      packages: {
        'golang.org/x/net': { 0: '0.5.0', 3: '0.10.0', 5: '0.17.0' },
        'golang.org/x/crypto': { 0: '0.6.0', 5: '0.17.0' },
        'golang.org/x/text': { 0: '0.3.7', 3: '0.9.0' },
        'google.golang.org/grpc': { 0: '1.53.0', 7: '1.58.3' },
        'google.golang.org/protobuf': '1.28.1',
        'github.com/golang-jwt/jwt/v4': '4.4.3',
        'github.com/gin-gonic/gin': { 0: '1.8.1', 4: '1.9.1' },
        'github.com/jackc/pgx/v4': { 0: '4.17.2', 6: '4.18.2' },
        'github.com/jackc/pgproto3/v2': { 0: '2.3.1', 6: '2.3.3' },
        'github.com/prometheus/client_golang': { 0: '1.11.0', 1: '1.14.0' },
        'github.com/nats-io/nats-server/v2': { 2: '2.9.15' },
        'go.uber.org/zap': '1.26.0',
        'github.com/google/uuid': '1.4.0',
      },
    },
  ],
  code: `
go/sql-injection | internal/store/shipment.go:58 | 0- | rows, err := db.Query("SELECT * FROM shipment WHERE reference = '" + reference + "'")
go/sql-injection | internal/store/event.go:77 | 0-3 | rows, err := db.Query(fmt.Sprintf(eventQuery, carrier))
go/request-forgery | internal/webhook/sender.go:41 | 0- | resp, err := http.Post(subscription.URL, contentJSON, body)
go/log-injection | internal/api/handler.go:36 | 0- | log.Printf("no shipment %s", reference)
go/log-injection | internal/api/subscribe.go:52 | 0-5 | log.Printf("subscribed %s", r.FormValue("url"))
go/log-injection | internal/api/proof.go:29 | 2- | logger.Info("proof of " + reference)
go/path-injection | internal/api/proof.go:44 | 2- | data, err := os.ReadFile(filepath.Join(proofs, name))
go/disabled-certificate-check | internal/carrier/client.go:33 | 0-1,6- | TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
go/incorrect-integer-conversion | internal/api/paging.go:24 | 0- | limit := int32(parsed)
go/clear-text-logging | internal/auth/token.go:61 | 0- | log.Printf("token %s refused", token)
go/insecure-hostkeycallback | internal/edi/sftp.go:47 | 0- | HostKeyCallback: ssh.InsecureIgnoreHostKey(),
go/unhandled-writable-file-close | internal/export/csv.go:38 | 0- | defer file.Close()
`,
  misconfigurations: `
DS026 | Dockerfile:1-14 | 0- | Dockerfile | FROM golang:1.21-alpine AS build
KSV012 | deploy/tracking.yaml:16-31 | 0-4 | tracking | - name: tracking
KSV003 | deploy/tracking.yaml:16-31 | 0- | tracking | - name: tracking
`,
  secrets: `
jwt | internal/auth/token_test.go:19 | 0- | const expired = "«*»"
`,
  licenses: '',
  branches: [
    {
      ref: 'refs/pull/88/head',
      refType: 'pull_request',
      cut: 5,
      scanned: [5, 6],
      daysLater: 2,
      tools: ['trivy', 'codeql'],
      packages: { 'go.mod': { 'github.com/docker/docker': '24.0.7' } },
    },
  ],
};
