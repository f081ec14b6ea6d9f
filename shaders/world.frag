#version 330 core
// One picture from a texture array, or a land cell's merged ground; lit, fogged, and multiplied by
// the source factor of its blend row, so that one blend function serves all (ONE, 1-SRC_A).
//
// llvmpipe walks through both sides of an `if`, and once through a loop that no pixel enters; only the
// choice of a sampler by an index is a jump to it. So where JUMPS is defined all pictures are read by
// one `texture`, in a loop of as many turns as there are pictures to read. Elsewhere the index would
// have to be the same in all draws of a call, and branches do the same: what they ask is flat, so the
// four pixels of a quad go the same way and derivatives hold.
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

// pictures of 64, 128, 256, 512 and 1024 texels, ground, its masks
uniform sampler2DArray u_arrays[7];

out vec4 f_colour;

const int GROUND = 5;
const int MASKS = 6;
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
        default: return texture(u_arrays[MASKS], at);
    }
#endif
}

// layer and tiling, a byte each, make the place in the ground's pictures
vec3 ground_at(uint word) {
    return vec3(v_uv * float((word >> 8u) & 0xFFu), float(word & 0xFFu));
}

// an overlay's mask is laid over the cell in quarter turns
vec3 mask_at(uint word) {
    uint turn = word >> 24u;
    vec2 r = v_uv;
    r = turn == 1u ? vec2(1.0 - v_uv.y, v_uv.x) : r;
    r = turn == 2u ? vec2(1.0 - v_uv.x, 1.0 - v_uv.y) : r;
    r = turn == 3u ? vec2(v_uv.y, 1.0 - v_uv.x) : r;
    return vec3(r, float((word >> 16u) & 0xFFu));
}

// an overlay: layer, tiling, mask, turn, a byte each
uint overlay_word(int i) {
    uvec4 s = i < 3 ? v_surface0 : v_surface1;
    int k = i < 3 ? i + 1 : i - 3;
    return k == 0 ? s.x : k == 1 ? s.y : k == 2 ? s.z : s.w;
}

// Where a surface's picture is read. CLAMP is done by hand, half a texel of the level that is read
// inside the edge.
vec3 picture_at() {
    vec2 dx = dFdx(v_uv);
    vec2 dy = dFdy(v_uv);
    float texel_span = sqrt(max(dot(dx, dx), dot(dy, dy)));
    vec2 margin = vec2(min(0.5, 0.5 * max(texel_span, 1.0 / float(64u << (v_surface0.y & 0xFFu)))));
    bool wraps = (v_surface0.x & WRAP) != 0u;
    return vec3(wraps ? v_uv : clamp(v_uv, margin, vec2(1.0) - margin), float(v_surface0.y >> 8u));
}

void main() {
    bool is_ground = (v_surface0.x & 15u) == KIND_GROUND;
    uint head = v_surface0.x >> 4u;
    int overlays = is_ground ? int((head >> 16u) & 7u) : 0;
    vec4 texel = vec4(0.0);
    float keep = 0.0;
    int k = 0;
    // the picture itself; then of each overlay the mask, which is the weight of what is already
    // there, and its picture
    do {
        bool is_mask = (k & 1) != 0;
        uint word = k == 0 ? head : overlay_word((k - 1) >> 1);
        int array = !is_ground ? int(v_surface0.y & 0xFFu) : is_mask ? MASKS : GROUND;
        vec4 read = picture(array, !is_ground ? picture_at() : is_mask ? mask_at(word) : ground_at(word));
        texel.rgb = is_mask ? texel.rgb : mix(read.rgb, texel.rgb, keep);
        texel.a = k > 0 ? texel.a : is_ground ? 1.0 : read.a;
        keep = is_mask ? read.a : 0.0;
        ++k;
    } while (k <= 2 * overlays);

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
