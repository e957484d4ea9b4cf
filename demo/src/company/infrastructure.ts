/**
 * The cloud account and the cluster as code: Terraform and Kubernetes.
 *
 * Its story: storage and network are hardened step by step, a security group is opened again for a while, and a branch
 * for a new region repeats old mistakes.
 */
import type { Repository } from './repository.ts';

export const infrastructure: Repository = {
  name: 'kestrel-platform/infrastructure',
  schedule: { trivy: 1 },
  manifests: [],
  code: '',
  misconfigurations: `
AVD-AWS-0014 | modules/audit/cloudtrail.tf:1-9 | 0-4 | aws_cloudtrail.account | resource "aws_cloudtrail" "account" {
AVD-AWS-0016 | modules/audit/cloudtrail.tf:1-9 | 0-4 | aws_cloudtrail.account | resource "aws_cloudtrail" "account" {
AVD-AWS-0017 | modules/audit/logs.tf:1-4 | 0- | aws_cloudwatch_log_group.audit | resource "aws_cloudwatch_log_group" "audit" {
AVD-AWS-0017 | modules/cluster/logs.tf:1-4 | 0- | aws_cloudwatch_log_group.cluster | resource "aws_cloudwatch_log_group" "cluster" {
AVD-AWS-0028 | modules/bastion/main.tf:12-27 | 0-3 | aws_instance.bastion | resource "aws_instance" "bastion" {
AVD-AWS-0131 | modules/bastion/main.tf:12-27 | 0- | aws_instance.bastion | resource "aws_instance" "bastion" {
AVD-AWS-0107 | modules/bastion/main.tf:38-38 | 0-1,5-6 | aws_security_group.bastion | cidr_blocks = ["0.0.0.0/0"] # ssh
AVD-AWS-0104 | modules/bastion/main.tf:46-46 | 0- | aws_security_group.bastion | cidr_blocks = ["0.0.0.0/0"] # egress
AVD-AWS-0124 | modules/bastion/main.tf:34-40 | 0-5 | aws_security_group.bastion | ingress {
AVD-AWS-0030 | modules/registry/main.tf:1-6 | 0-2 | aws_ecr_repository.base | resource "aws_ecr_repository" "base" {
AVD-AWS-0031 | modules/registry/main.tf:1-6 | 0- | aws_ecr_repository.base | resource "aws_ecr_repository" "base" {
AVD-AWS-0033 | modules/registry/main.tf:1-6 | 0- | aws_ecr_repository.base | resource "aws_ecr_repository" "base" {
AVD-AWS-0038 | modules/cluster/main.tf:3-31 | 0-4 | aws_eks_cluster.main | resource "aws_eks_cluster" "main" {
AVD-AWS-0039 | modules/cluster/main.tf:3-31 | 0- | aws_eks_cluster.main | resource "aws_eks_cluster" "main" {
AVD-AWS-0040 | modules/cluster/main.tf:14-14 | 0-5 | aws_eks_cluster.main | endpoint_public_access = true
AVD-AWS-0041 | modules/cluster/main.tf:15-15 | 0-2 | aws_eks_cluster.main | public_access_cidrs = ["0.0.0.0/0"]
AVD-AWS-0052 | modules/edge/alb.tf:1-12 | 0-3 | aws_lb.edge | resource "aws_lb" "edge" {
AVD-AWS-0053 | modules/edge/alb.tf:3-3 | 0- | aws_lb.edge | internal = false
AVD-AWS-0054 | modules/edge/alb.tf:16-16 | 0-2 | aws_lb_listener.plain | protocol = "HTTP"
AVD-AWS-0057 | modules/iam/deploy.tf:8-14 | 0- | aws_iam_policy.deploy | actions = ["s3:*"]
AVD-AWS-0057 | modules/iam/jobs.tf:11-17 | 0-6 | aws_iam_policy.jobs | actions = ["sqs:*", "sns:*"]
AVD-AWS-0065 | modules/kms/main.tf:1-5 | 0- | aws_kms_key.documents | resource "aws_kms_key" "documents" {
AVD-AWS-0077 | modules/database/main.tf:1-24 | 0- | aws_db_instance.bookings | resource "aws_db_instance" "bookings" {
AVD-AWS-0080 | modules/database/main.tf:30-49 | 0-3 | aws_db_instance.tracking | resource "aws_db_instance" "tracking" {
AVD-AWS-0176 | modules/database/main.tf:1-24 | 0- | aws_db_instance.bookings | resource "aws_db_instance" "bookings" {
AVD-AWS-0176 | modules/database/main.tf:30-49 | 0- | aws_db_instance.tracking | resource "aws_db_instance" "tracking" {
AVD-AWS-0177 | modules/database/main.tf:1-24 | 0-6 | aws_db_instance.bookings | resource "aws_db_instance" "bookings" {
AVD-AWS-0180 | modules/database/main.tf:44-44 | 0-1 | aws_db_instance.tracking | publicly_accessible = true
AVD-AWS-0178 | modules/network/main.tf:1-6 | 0- | aws_vpc.main | resource "aws_vpc" "main" {
AVD-AWS-0086 | modules/storage/documents.tf:1-3 | 0-2 | aws_s3_bucket.documents | resource "aws_s3_bucket" "documents" {
AVD-AWS-0088 | modules/storage/documents.tf:1-3 | 0-2 | aws_s3_bucket.documents | resource "aws_s3_bucket" "documents" {
AVD-AWS-0089 | modules/storage/documents.tf:1-3 | 0- | aws_s3_bucket.documents | resource "aws_s3_bucket" "documents" {
AVD-AWS-0088 | modules/storage/exports.tf:1-3 | 1-5 | aws_s3_bucket.exports | resource "aws_s3_bucket" "exports" {
AVD-AWS-0090 | modules/storage/exports.tf:1-3 | 1- | aws_s3_bucket.exports | resource "aws_s3_bucket" "exports" {
AVD-AWS-0089 | modules/storage/exports.tf:1-3 | 1- | aws_s3_bucket.exports | resource "aws_s3_bucket" "exports" {
AVD-AWS-0095 | modules/messaging/main.tf:1-3 | 0-4 | aws_sns_topic.events | resource "aws_sns_topic" "events" {
AVD-AWS-0096 | modules/messaging/main.tf:7-10 | 0- | aws_sqs_queue.webhooks | resource "aws_sqs_queue" "webhooks" {
AVD-AWS-0096 | modules/messaging/main.tf:14-17 | 4- | aws_sqs_queue.forecast | resource "aws_sqs_queue" "forecast" {
AVD-AWS-0088 | regions/eu/storage.tf:1-3 | 7-,feature/eu-region | aws_s3_bucket.eu_documents | resource "aws_s3_bucket" "eu_documents" {
AVD-AWS-0107 | regions/eu/network.tf:22-22 | feature/eu-region | aws_security_group.eu_bastion | cidr_blocks = ["0.0.0.0/0"] # ssh, until the VPN is there
AVD-AWS-0080 | regions/eu/database.tf:1-20 | feature/eu-region | aws_db_instance.eu_bookings | resource "aws_db_instance" "eu_bookings" {
AVD-AWS-0178 | regions/eu/network.tf:1-6 | 7-,feature/eu-region | aws_vpc.eu | resource "aws_vpc" "eu" {
KSV001 | cluster/ingress/controller.yaml:24-51 | 0- | ingress-controller | - name: controller
KSV017 | cluster/monitoring/node-agent.yaml:19-38 | 0- | node-agent | - name: node-agent
KSV012 | cluster/monitoring/node-agent.yaml:19-38 | 0- | node-agent | - name: node-agent
KSV013 | cluster/tools/toolbox.yaml:14-19 | 2- | toolbox | image: registry.kestrel.example/tools/toolbox:latest
KSV104 | cluster/tools/toolbox.yaml:12-22 | 2- | toolbox | - name: toolbox
KSV011 | cluster/tools/toolbox.yaml:12-22 | 2-6 | toolbox | - name: toolbox
KSV018 | cluster/tools/toolbox.yaml:12-22 | 2-6 | toolbox | - name: toolbox
KSV003 | cluster/ingress/controller.yaml:24-51 | 0-5 | ingress-controller | - name: controller
`,
  secrets: `
aws-key | regions/legacy/terraform.tfvars:2 | 0-2 | access_key = "«*»"
`,
  licenses: '',
  branches: [
    {
      ref: 'feature/eu-region',
      refType: 'branch',
      cut: 5,
      scanned: [5, 6],
      daysLater: 4,
      tools: ['trivy'],
    },
  ],
};
