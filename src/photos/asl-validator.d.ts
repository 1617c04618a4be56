/** What the tests use of asl-validator, which brings no types. */

declare module "asl-validator" {
  function validate(
    definition: object,
    options?: { checkArn?: boolean; checkPaths?: boolean },
  ): { isValid: boolean; errorsText(): string };
  export = validate;
}
