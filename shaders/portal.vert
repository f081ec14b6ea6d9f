#version 330 core
// A clipped opening as a depth mask: pixels and clip-space depth, w 1.
in vec3 a_position;

uniform vec2 u_size;

void main() {
    gl_Position = vec4(a_position.xy / u_size * 2.0 - 1.0, a_position.z, 1.0);
}
