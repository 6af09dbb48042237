import { describe, expect, test } from "vitest";
import { linkTo, locationOf, matchRoute } from "../../src/console/router.ts";

describe("a location", () => {
  test("is read from the address's fragment, with its query", () => {
    const { path, query } = locationOf("#/conversations/abc?help=no&days=30");
    expect(path).toBe("/conversations/abc");
    expect([...query]).toEqual([
      ["help", "no"],
      ["days", "30"],
    ]);
  });

  test.each(["", "#", "#teach", "#?help=no"])(
    "is the start where the fragment names no path: %j",
    (fragment) => {
      expect(locationOf(fragment).path).toBe("/");
    },
  );

  test("becomes a link without empty values, and is the same when it is read again", () => {
    expect(linkTo("/avatars")).toBe("#/avatars");
    const link = linkTo("/unanswered", { question: "a & b?", avatar: undefined, order: "" });
    expect(link).toBe("#/unanswered?question=a+%26+b%3F");
    expect(locationOf(link).query.get("question")).toBe("a & b?");
  });
});

describe("a route", () => {
  const routes = [
    { path: "/avatars" },
    { path: "/conversations/:session?" },
    { path: "/avatars/:avatar/:part?" },
  ];

  test("is the first one that matches, with the path's parameters", () => {
    expect(matchRoute(routes, "/avatars")).toEqual({ route: routes[0], params: {} });
    expect(matchRoute(routes, "/avatars/3/look")).toEqual({
      route: routes[2],
      params: { avatar: "3", part: "look" },
    });
  });

  test("has an empty text for an optional parameter that the path does not have", () => {
    expect(matchRoute(routes, "/conversations")?.params).toEqual({ session: "" });
  });

  test("decodes parameters, and keeps one whose escapes are broken", () => {
    expect(matchRoute(routes, "/conversations/a%2Fb")?.params).toEqual({ session: "a/b" });
    expect(matchRoute(routes, "/conversations/50%")?.params).toEqual({ session: "50%" });
  });

  test("is none for an unknown path", () => {
    expect(matchRoute(routes, "/nowhere")).toBeNull();
  });
});
