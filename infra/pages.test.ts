/** What the stack of the pages asks AWS for: who sees which files, and which addresses lead where. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { Pages, type PagesProps } from "./pages.ts";

const API = "abc.lambda-url.ap-northeast-2.on.aws";
const builtFolder = fileURLToPath(new URL("../web/dist", import.meta.url));
/** AWS' own policies, by the ids that its documentation lists. */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const CACHING_OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6";
const ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

type Behavior = {
  PathPattern?: string;
  TargetOriginId: string;
  CachePolicyId: string | { Ref: string };
  OriginRequestPolicyId?: string;
  AllowedMethods?: string[];
  ViewerProtocolPolicy: string;
};
type Origin = { Id: string; DomainName: unknown; CustomOriginConfig?: { OriginProtocolPolicy: string } };
type DistributionConfig = { DefaultCacheBehavior: Behavior; CacheBehaviors: Behavior[]; Origins: Origin[] };

function synthesize(props: Partial<PagesProps> = {}): Template {
  const stack = new Stack(new App(), "Test");
  new Pages(stack, "Pages", { apiDomain: API, builtFolder, ...props });
  return Template.fromStack(stack);
}

function distributionOf(template: Template): DistributionConfig {
  const [found] = Object.values(template.findResources("AWS::CloudFront::Distribution"));
  return found?.Properties.DistributionConfig;
}

/** As CloudFront finds it: the first pattern that fits, else the default. */
function behaviorFor({ CacheBehaviors, DefaultCacheBehavior }: DistributionConfig, path: string): Behavior {
  const fits = ({ PathPattern = "" }: Behavior) =>
    new RegExp(`^${PathPattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(path);
  return CacheBehaviors.find(fits) ?? DefaultCacheBehavior;
}

describe("the pages on AWS", () => {
  const template = synthesize();
  const distribution = distributionOf(template);
  const originOf = ({ TargetOriginId }: Behavior) => distribution.Origins.find(({ Id }) => Id === TargetOriginId);

  it("sends documents and the API to the program, whole and kept nowhere", () => {
    for (const path of [
      "/",
      "/events/race/photos",
      "/api/events/race/participations",
      "/api/requests/r",
      "/icon.svg",
    ]) {
      const behavior = behaviorFor(distribution, path);
      assert.equal(originOf(behavior)?.DomainName, API, path);
      assert.equal(originOf(behavior)?.CustomOriginConfig?.OriginProtocolPolicy, "https-only", path);
      assert.equal(behavior.CachePolicyId, CACHING_DISABLED, path);
      assert.equal(behavior.OriginRequestPolicyId, ALL_VIEWER_EXCEPT_HOST, path);
      assert.ok(behavior.AllowedMethods?.includes("POST") && behavior.AllowedMethods.includes("DELETE"), path);
    }
  });

  it("gives the built files out of a bucket that nobody else can read", () => {
    const document = readFileSync(join(builtFolder, "index.html"), "utf8");
    const [script] = /\/assets\/[\w.-]+\.js/.exec(document) ?? [];
    assert.ok(script, "the document names a script");
    const behavior = behaviorFor(distribution, script);
    assert.equal(behavior.CachePolicyId, CACHING_OPTIMIZED);
    assert.notEqual(originOf(behavior)?.DomainName, API);
    template.hasResourceProperties("AWS::S3::Bucket", {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
    });
    template.resourceCountIs("AWS::CloudFront::OriginAccessControl", 1);
    // Only this distribution, and nobody without TLS.
    template.hasResourceProperties("AWS::S3::BucketPolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
          Match.objectLike({
            Effect: "Allow",
            Principal: { Service: "cloudfront.amazonaws.com" },
            Action: "s3:GetObject",
          }),
        ]),
      },
    });
  });

  it("keeps files for ever, those of earlier deployments too, and leaves the document to the program", () => {
    template.hasResourceProperties("Custom::CDKBucketDeployment", {
      Prune: false,
      SystemMetadata: { "cache-control": "public, max-age=31536000, immutable" },
    });
  });

  it("asks the program once a second how an entry stands, without anybody's cookies or token", () => {
    const behavior = behaviorFor(distribution, "/api/events/han-river-10k/entry");
    assert.equal(originOf(behavior)?.DomainName, API);
    assert.equal(behavior.OriginRequestPolicyId, undefined);
    const [policy] = Object.values(template.findResources("AWS::CloudFront::CachePolicy"));
    const { MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: key } = policy?.Properties.CachePolicyConfig ?? {};
    assert.equal(MaxTTL, 1);
    assert.equal(key.CookiesConfig.CookieBehavior, "none");
    assert.deepEqual(key.HeadersConfig.Headers, ["Origin"]);
  });

  it("answers over TLS only, under an own name where there is one", () => {
    const all = [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors];
    for (const behavior of all) assert.equal(behavior.ViewerProtocolPolicy, "redirect-to-https");
    const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/x";
    synthesize({ domain: { name: "race.example", certificateArn } }).hasResourceProperties(
      "AWS::CloudFront::Distribution",
      {
        DistributionConfig: {
          Aliases: ["race.example"],
          ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: "TLSv1.2_2021" },
        },
      },
    );
  });

  it("is synthesized from the command line, and says what is missing", () => {
    const run = (context: object) =>
      spawnSync(process.execPath, [fileURLToPath(new URL("./app.ts", import.meta.url))], {
        encoding: "utf8",
        env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) },
      });
    const without = run({});
    assert.equal(without.status, 1);
    assert.match(without.stderr, /-c apiDomain=/);
    const wrong = run({ apiDomain: API, domainName: "race.example", certificateArn: "arn:aws:acm:eu-west-1:1:x" });
    assert.match(wrong.stderr, /us-east-1/);
    assert.match(run({ apiDomain: API, domainName: "race.example" }).stderr, /belong together/);
    const whole = run({ apiDomain: API });
    assert.equal(whole.status, 0, whole.stderr);
  });
});
