import { readFileSync } from "node:fs";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { parse } from "yaml";

const dockerfile = readFileSync("Dockerfile", "utf8");
const compose = parse(readFileSync("compose.yaml", "utf8")) as {
  services: Record<string, { image?: string; restart?: string }>;
};

/** A tag with at least two numbers, so that the image does not change to a new version by itself. */
const pinnedTag = /^[\w./-]+:\d+\.\d+[\w.-]*$/;

it("the Dockerfile's linter finds nothing", () => {
  expect(validate(dockerfile)).toEqual([]);
});

it("the image is built in stages, and its program runs without root, with a volume and a health check", () => {
  const instructions = DockerfileParser.parse(dockerfile).getInstructions();
  const words = instructions.map((instruction) => instruction.getKeyword());
  const last = instructions.slice(words.lastIndexOf("FROM"));
  const argumentsOf = (keyword: string): string | null | undefined =>
    last.find((instruction) => instruction.getKeyword() === keyword)?.getArgumentsContent();
  expect(words.filter((word) => word === "FROM").length).toBeGreaterThan(1);
  expect(argumentsOf("USER")).toBe("node");
  expect(argumentsOf("VOLUME")).toBe("/data");
  expect(argumentsOf("HEALTHCHECK")).toContain("/readyz");
});

it("every image has a pinned version", () => {
  const bases = DockerfileParser.parse(dockerfile)
    .getFROMs()
    .map((from) => from.getImage() ?? "");
  const images = Object.values(compose.services).flatMap(({ image }) => (image ? [image] : []));
  expect(images).toHaveLength(4);
  for (const image of [...bases, ...images]) expect(image).toMatch(pinnedTag);
});
