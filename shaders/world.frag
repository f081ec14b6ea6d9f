#version 330 core
// One picture from a texture array, or a land cell's merged ground; lit, fogged, and multiplied by
// the source factor of its blend row, so that one blend function serves all (ONE, 1-SRC_A).
//
// What llvmpipe skips: nothing. It walks through both sides of an `if` and once through a loop that no
// pixel enters; only the choice of a sampler by an index is a jump to it. So where JUMPS is defined
// `texture` stands twice in a loop of at least one turn, and what reads no picture reads one texel.
// Elsewhere the index would have to be the same in all draws of a call, and branches do the same: all
// these conditions are flat, so the four pixels of a quad go the same way and derivatives hold.
#ifdef JUMPS
#extension GL_ARB_gpu_shader5 : require
#endif
#include "lib/frame.glsl"

in vec2 v_uv;
in vec3 v_light;
in float v_fog;
flat in uvec4 v_surface0;
flat in uvec4 v_surface1;
flat in vec4 v_blend;
flat in float v_alpha;

// pictures of 64, 128, 256, 512 and 1024 texels, ground, its masks, one white texel
uniform sampler2DArray u_arrays[8];

out vec4 f_colour;

const int GROUND = 5;
const int MASKS = 6;
const int NONE = 7;
const uint KIND_GROUND = 1u;
const uint WRAP = 0x200u;

vec4 picture(int array, vec3 at) {
#ifdef JUMPS
    return texture(u_arrays[array], at);
#else
    switch (array) {
        case 0: return texture(u_arrays[0], at);
        case 1: return texture(u_arrays[1], at);
        case 2: return texture(u_arrays[2], at);
        case 3: return texture(u_arrays[3], at);
        case 4: return texture(u_arrays[4], at);
        case GROUND: return texture(u_arrays[GROUND], at);
        case MASKS: return texture(u_arrays[MASKS], at);
        default: return vec4(1.0);
    }
#endif
}

vec2 mask_uv(vec2 uv, uint turn) {
    vec2 r = uv;
    r = turn == 1u ? vec2(1.0 - uv.y, uv.x) : r;
    r = turn == 2u ? vec2(1.0 - uv.x, 1.0 - uv.y) : r;
    r = turn == 3u ? vec2(uv.y, 1.0 - uv.x) : r;
    return r;
}

// layer and tiling, a byte each, make the place in the ground's pictures
vec3 ground_at(uint word) {
    return vec3(v_uv * float((word >> 8u) & 0xFFu), float(word & 0xFFu));
}

// an overlay: layer, tiling, mask, turn, a byte each
uint overlay_word(int i) {
    uvec4 s = i < 3 ? v_surface0 : v_surface1;
    int k = i < 3 ? i + 1 : i - 3;
    return k == 0 ? s.x : k == 1 ? s.y : k == 2 ? s.z : s.w;
}

// Where a surface's picture is read. CLAMP is done by hand, half a texel of the level that is read
// inside the edge.
vec3 picture_at(int size_class) {
    vec2 dx = dFdx(v_uv);
    vec2 dy = dFdy(v_uv);
    float texel_span = sqrt(max(dot(dx, dx), dot(dy, dy)));
    vec2 margin = vec2(min(0.5, 0.5 * max(texel_span, 1.0 / float(64 << size_class))));
    bool wraps = (v_surface0.x & WRAP) != 0u;
    return vec3(wraps ? v_uv : clamp(v_uv, margin, vec2(1.0) - margin), float(v_surface0.y >> 8u));
}

void main() {
    bool is_ground = (v_surface0.x & 15u) == KIND_GROUND;
    uint head = v_surface0.x >> 4u;
    int size_class = int(v_surface0.y & 0xFFu);
    vec4 texel = picture(is_ground ? GROUND : size_class, is_ground ? ground_at(head & 0xFFFFu) : picture_at(size_class));
    texel.a = is_ground ? 1.0 : texel.a;

    int overlays = is_ground ? int((head >> 16u) & 7u) : 0;
    int i = 0;
    do {
        bool none = i >= overlays;
        uint word = overlay_word(i);
        vec3 mask_at = vec3(mask_uv(v_uv, word >> 24u), float((word >> 16u) & 0xFFu));
        // the mask is the weight of what is already there
        float keep = picture(none ? NONE : MASKS, mask_at).a;
        vec3 over = picture(none ? NONE : GROUND, ground_at(word)).rgb;
        texel.rgb = none ? texel.rgb : mix(over, texel.rgb, keep);
        ++i;
    } while (i < overlays);

    float a = texel.a * v_alpha;
#ifdef TESTED
    float reference = float(v_surface0.z);
    if (floor(a * 255.0 + 0.5) < reference) discard;
#endif
    vec3 c = mix(texel.rgb * v_light, u_fog_colour.rgb, v_fog);
#ifdef LITERAL
    f_colour = vec4(c, a);
#else
    f_colour = vec4(c * (v_blend.x + v_blend.y * a), v_blend.z + v_blend.w * a);
#endif
}
