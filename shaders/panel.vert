#version 330 core
// Panels over the picture: positions in pixels, first row on top.

uniform vec2 u_size;

in vec2 a_position;
in vec2 a_texcoord;
in vec4 a_colour;

out vec2 v_texcoord;
out vec4 v_colour;

void main() {
    v_texcoord = a_texcoord;
    v_colour = a_colour;
    vec2 clip = a_position / u_size * 2.0 - 1.0;
    gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
