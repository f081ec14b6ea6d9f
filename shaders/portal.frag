#version 330 core
// Invisible: with ONE, 1-SRC_A the colour behind stays as it is.
out vec4 f_colour;

void main() {
    f_colour = vec4(0.0);
}
