#version 330 core

uniform sampler2D u_texture;

in vec2 v_texcoord;
in vec4 v_colour;

out vec4 f_colour;

void main() {
    vec4 colour = v_colour * texture(u_texture, v_texcoord);
    f_colour = vec4(colour.rgb * colour.a, colour.a);
}
