#version 330 core
// Lines of the debug views, in the space of the camera's block.
in vec3 a_position;
in vec4 a_colour;

uniform mat4 u_to_clip;
uniform float u_dim;

out vec4 v_colour;

void main() {
    gl_Position = u_to_clip * vec4(a_position, 1.0);
    v_colour = a_colour * u_dim;
}
