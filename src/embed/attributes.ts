/**
 * Attributes of the element that the script tag takes as `data-…`, besides the context. Written out because each byte of
 * the loader counts; a test compares them with the contract in `protocol/`.
 */
export const passedAttributes =
  "relay variant placement prefetch lang theme mode render transparent captions open padding-left padding-top padding-height".split(
    " ",
  );
