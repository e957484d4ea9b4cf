/**
 * Kestrel Freight, the company of the demo: its repositories, and the inventory that no report has. The company is
 * invented, and nothing here is computed.
 */
import { baseImages } from './base-images.ts';
import { dataJobs } from './data-jobs.ts';
import { dispatchService } from './dispatch-service.ts';
import { driverApp } from './driver-app.ts';
import { infrastructure } from './infrastructure.ts';
import type { Repository } from './repository.ts';
import { storefront } from './storefront.ts';
import { trackingApi } from './tracking-api.ts';

export const repositories: readonly Repository[] = [
  storefront,
  dispatchService,
  trackingApi,
  dataJobs,
  driverApp,
  infrastructure,
  baseImages,
];

/** YAML for `merlond inventory apply`: organizations, repositories and applications of the company. */
export const inventory = `organizations:
  - full_path: kestrel-freight
    name: Kestrel Freight
    type: github_org
    external_id: "73100441"
    description: Road freight for small shippers
  - full_path: kestrel-platform
    name: Kestrel Platform
    type: gitlab_group
    external_id: "5180072"
    description: Cloud accounts, cluster and base images
repositories:
  - full_name: kestrel-freight/storefront
    source: ghc
    external_id: "500100201"
    is_private: true
    default_branch: main
    settings: {branch_protection: true, required_reviews: 2}
  - full_name: kestrel-freight/dispatch-service
    source: ghc
    external_id: "500100202"
    is_private: true
    default_branch: main
  - full_name: kestrel-freight/tracking-api
    source: ghc
    external_id: "500100203"
    is_private: false
    default_branch: main
    settings: {branch_protection: false, required_reviews: 0}
  - full_name: kestrel-freight/data-jobs
    source: ghc
    external_id: "500100204"
    is_private: true
    is_monorepo: true
    default_branch: main
  - full_name: kestrel-freight/driver-app
    source: ghc
    external_id: "500100205"
    is_private: true
    default_branch: main
  - full_name: kestrel-freight/fax-gateway
    source: ghc
    external_id: "500100117"
    is_private: true
    is_archived: true
    is_enabled: false
    default_branch: main
  - full_name: kestrel-platform/infrastructure
    source: gitlab
    external_id: "61204410"
    is_private: true
    is_monorepo: true
    default_branch: main
  - full_name: kestrel-platform/base-images
    source: gitlab
    external_id: "61204433"
    is_private: true
    default_branch: main
applications:
  - name: Storefront
    description: Where customers ask for quotes, book and pay
    repositories: [kestrel-freight/storefront, kestrel-freight/tracking-api]
  - name: Dispatch
    description: Plans trucks and drivers, and the app in the drivers' hands
    repositories: [kestrel-freight/dispatch-service, kestrel-freight/driver-app]
  - name: Analytics
    description: Key figures, forecasts and labels
    repositories: [kestrel-freight/data-jobs]
  - name: Platform
    description: Cloud accounts, cluster and base images
    repositories: [kestrel-platform/infrastructure, kestrel-platform/base-images]
`;
