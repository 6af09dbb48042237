import { alphaFloor, alphaSpan, chromaFar, chromaNear } from "./matte.ts";

/** A quad over `rect` (left, top, width, height in fractions of the frame). */
export const vertexShader = `#version 300 es
uniform vec4 rect;
out vec2 at;
void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 p = rect.xy + at * rect.zw;
  gl_Position = vec4(p.x * 2.0 - 1.0, 1.0 - p.y * 2.0, 0.0, 1.0);
}`;

/**
 * The picture with premultiplied alpha. `mode` 0: opaque; 1: packed alpha, premultiplied colour above, matte below, each
 * half sampled at least half a texel away from the other; 2: chroma key, with the key's share removed from the colour.
 */
export const fragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D frame;
uniform int mode;
uniform vec3 key;
in vec2 at;
out vec4 result;
vec2 chroma(vec3 c) {
  return vec2(dot(c, vec3(-0.169, -0.331, 0.5)), dot(c, vec3(0.5, -0.419, -0.081)));
}
void main() {
  if (mode == 0) {
    result = vec4(texture(frame, at).rgb, 1.0);
  } else if (mode == 1) {
    float edge = 0.5 / float(textureSize(frame, 0).y);
    float y = clamp(at.y * 0.5, edge, 0.5 - edge);
    float a = clamp((texture(frame, vec2(at.x, y + 0.5)).g - ${alphaFloor}) / ${alphaSpan}, 0.0, 1.0);
    result = vec4(min(texture(frame, vec2(at.x, y)).rgb, a), a);
  } else {
    vec3 c = texture(frame, at).rgb;
    float a = smoothstep(${chromaNear}, ${chromaFar}, distance(chroma(c), chroma(key)));
    result = vec4(clamp(c - key * (1.0 - a), 0.0, a), a);
  }
}`;
