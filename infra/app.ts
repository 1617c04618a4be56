/** What `npx aws-cdk deploy --app "node infra/app.ts"` puts on AWS. Settings come as CDK context: `-c apiDomain=…`. */

import { fileURLToPath } from "node:url";
import { App, Stack } from "aws-cdk-lib";
import { z } from "zod";
import { Pages } from "./pages.ts";

const Settings = z
  .object({
    apiDomain: z.string({ error: "give the API's domain: -c apiDomain=abc.lambda-url.ap-northeast-2.on.aws" }),
    domainName: z.string().optional(),
    certificateArn: z
      .string()
      .regex(/^arn:aws:acm:us-east-1:/, "CloudFront takes certificates of us-east-1 only")
      .optional(),
  })
  .refine(({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined), {
    error: "domainName and certificateArn belong together",
  });

const app = new App();
const asked = ["apiDomain", "domainName", "certificateArn"].map((name) => [name, app.node.tryGetContext(name)]);
const settings = Settings.safeParse(Object.fromEntries(asked));
if (!settings.success) {
  console.error(`The settings are not right. ${z.prettifyError(settings.error)}`);
  process.exit(1);
}
const { apiDomain, domainName: name, certificateArn } = settings.data;
const builtFolder = fileURLToPath(new URL("../web/dist", import.meta.url));
new Pages(new Stack(app, "SnapRacePages"), "Pages", {
  apiDomain,
  builtFolder,
  ...(name !== undefined && certificateArn !== undefined && { domain: { name, certificateArn } }),
});
app.synth();
