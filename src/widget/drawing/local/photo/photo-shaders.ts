/** `place` is in pixels of the character's picture, `texel` in shares of its layer. */
export const vertexShader = `#version 300 es
in vec2 place;
in vec2 texel;
in float alpha;
in float shade;
uniform float side;
out vec2 at;
out vec2 light;
void main() {
  at = texel;
  light = vec2(shade, alpha);
  gl_Position = vec4(place.x / side * 2.0 - 1.0, 1.0 - place.y / side * 2.0, 0.0, 1.0);
}`;

/** Premultiplied colours with their brightness and opacity changed. The layers are seen smaller than they are: a little sharper then. */
export const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D layer;
in vec2 at;
in vec2 light;
out vec4 result;
void main() {
  vec4 c = texture(layer, at, -0.5);
  result = vec4(min(c.rgb * light.x, c.a), c.a) * light.y;
}`;
