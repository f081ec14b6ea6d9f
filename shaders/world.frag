#version 330 core
// One picture from a texture array, or a land cell's merged ground; lit, fogged, and multiplied by
// the source factor of its blend row, so that one blend function serves all (ONE, 1-SRC_A).
//
// What may be skipped stands in a loop of zero or one turn: a software rasteriser leaves a loop that
// no pixel enters, but walks through both sides of an `if`. All these conditions are flat, so the four
// pixels of a quad go the same way and derivatives hold.
#include "lib/frame.glsl"

in vec2 v_uv;
in vec3 v_light;
in float v_fog;
flat in uvec4 v_surface0;
flat in uvec4 v_surface1;
flat in vec4 v_blend;
flat in float v_alpha;

uniform sampler2DArray u_pictures0;  // 64
uniform sampler2DArray u_pictures1;  // 128
uniform sampler2DArray u_pictures2;  // 256
uniform sampler2DArray u_pictures3;  // 512
uniform sampler2DArray u_pictures4;  // 1024
uniform sampler2DArray u_ground;
uniform sampler2DArray u_masks;

out vec4 f_colour;

const uint KIND_GROUND = 1u;
const uint WRAP = 0x200u;

vec2 mask_uv(vec2 uv, uint turn) {
    vec2 r = uv;
    r = turn == 1u ? vec2(1.0 - uv.y, uv.x) : r;
    r = turn == 2u ? vec2(1.0 - uv.x, 1.0 - uv.y) : r;
    r = turn == 3u ? vec2(uv.y, 1.0 - uv.x) : r;
    return r;
}

// word: layer, tiling, mask, turn, a byte each
vec3 ground(uint word, vec2 uv) {
    float tiling = float((word >> 8u) & 0xFFu);
    return texture(u_ground, vec3(uv * tiling, float(word & 0xFFu))).rgb;
}

uint overlay_word(int i) {
    uvec4 s = i < 3 ? v_surface0 : v_surface1;
    int k = i < 3 ? i + 1 : i - 3;
    return k == 0 ? s.x : k == 1 ? s.y : k == 2 ? s.z : s.w;
}

void main() {
    bool is_ground = (v_surface0.x & 15u) == KIND_GROUND;
    vec4 texel = vec4(1.0);

    for (int once = is_ground ? 0 : 1; once < 1; ++once) {
        uint head = v_surface0.x >> 4u;
        uint base = (head & 0xFFu) | ((head >> 8u) & 0xFFu) << 8u;
        vec3 colour = ground(base, v_uv);
        int count = int((head >> 16u) & 7u);
        for (int i = 0; i < count; ++i) {
            uint word = overlay_word(i);
            vec2 at = mask_uv(v_uv, word >> 24u);
            // the mask is the weight of what is already there
            float keep = texture(u_masks, vec3(at, float((word >> 16u) & 0xFFu))).a;
            colour = mix(ground(word, v_uv), colour, keep);
        }
        texel.rgb = colour;
    }

    for (int once = is_ground ? 1 : 0; once < 1; ++once) {
        uint size_class = v_surface0.y & 0xFFu;
        float layer = float(v_surface0.y >> 8u);
        vec2 uv = v_uv;
        // CLAMP is done by hand, half a texel of the level that is read inside the edge
        for (int clamped = (v_surface0.x & WRAP) != 0u ? 1 : 0; clamped < 1; ++clamped) {
            vec2 dx = dFdx(v_uv);
            vec2 dy = dFdy(v_uv);
            float texel_span = sqrt(max(dot(dx, dx), dot(dy, dy)));
            vec2 margin = vec2(min(0.5, 0.5 * max(texel_span, 1.0 / float(64u << size_class))));
            uv = clamp(uv, margin, vec2(1.0) - margin);
        }
        vec3 at = vec3(uv, layer);
        for (int k = size_class == 0u ? 0 : 1; k < 1; ++k) texel = texture(u_pictures0, at);
        for (int k = size_class == 1u ? 0 : 1; k < 1; ++k) texel = texture(u_pictures1, at);
        for (int k = size_class == 2u ? 0 : 1; k < 1; ++k) texel = texture(u_pictures2, at);
        for (int k = size_class == 3u ? 0 : 1; k < 1; ++k) texel = texture(u_pictures3, at);
        for (int k = size_class == 4u ? 0 : 1; k < 1; ++k) texel = texture(u_pictures4, at);
    }

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
