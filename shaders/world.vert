#version 330 core
// Everything that stands in the world: terrain leaves, cells, shells, parts, sky.
//
// A draw brings two numbers: where its matrix stands, and which surface it has. A terrain leaf
// brings TERRAIN for the surface; then each vertex says its block's matrix and its cell's surface.
#include "lib/frame.glsl"

const uint TERRAIN = 0xFFFFFFFFu;
const float TERRAIN_DROP = 0.00999999978;  // so that floors at terrain height win

// regimes of light, instance texel 3
const int SUN = 0;
const int INDOOR = 1;
const int BAKED = 2;  // a cell's own walls: static light stands in the vertices
const int SKY = 3;
const int REGIMES = 4;  // times this: how many rows back the set of lamps stands, 0 none

in vec3 a_position;
in vec2 a_normal;   // octahedral, of 32767
in vec2 a_uv;
in uint a_extra;    // terrain: block row and surface; else RGBA static light
in uvec2 a_draw;

uniform samplerBuffer u_instances;   // 4 texels a row: three rows of the matrix, then alpha, luminosity, diffuse, regime
uniform usamplerBuffer u_surfaces;   // 2 texels a row, as render/surfaces.py writes them

invariant gl_Position;

out vec2 v_uv;
out vec3 v_light;
out float v_fog;
flat out uvec4 v_surface0;
flat out uvec4 v_surface1;
flat out vec4 v_blend;
flat out float v_alpha;

// flags of a mesh's surface, word 0
const uint NO_FOG = 0x100u;
const uint DETAIL = 0x400u;  // the pass over another surface
const uint MOVES = 0x800u;   // words 3 and 7 shift its picture; else word 3 scales it

const vec4 BLENDS[7] = vec4[7](
    // rgb = c * (x + y a), alpha out = z + w a
    vec4(1.0, 0.0, 1.0, 0.0),    // off
    vec4(0.0, 1.0, 0.0, 1.0),    // SRC_A / 1-SRC_A
    vec4(0.0, 1.0, 0.0, 0.0),    // SRC_A / ONE
    vec4(1.0, 0.0, 0.0, 0.0),    // ONE / ONE
    vec4(1.0, 0.0, 0.0, 1.0),    // ONE / 1-SRC_A
    vec4(1.0, -1.0, 1.0, -1.0),  // 1-SRC_A / SRC_A
    vec4(1.0, -1.0, 0.0, 0.0)    // 1-SRC_A / ONE
);

vec3 unpack_normal(vec2 o) {
    o /= 32767.0;
    vec3 n = vec3(o, 1.0 - abs(o.x) - abs(o.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

// Point lights as Direct3D has them: N.L / d within reach. A set's row says how far back its lamps are.
vec3 lamplight(int set, vec3 at, vec3 normal) {
    vec4 back0 = texelFetch(u_instances, set * 4);
    vec4 back1 = texelFetch(u_instances, set * 4 + 1);
    int count = int(texelFetch(u_instances, set * 4 + 2).x);
    vec3 light = vec3(0.0);
    for (int i = 0; i < count; ++i) {
        int lamp = (set - int(i < 4 ? back0[i] : back1[i - 4])) * 4;
        vec4 colour = texelFetch(u_instances, lamp + 1);
        vec3 to_lamp = texelFetch(u_instances, lamp).xyz - at;
        float d = max(length(to_lamp), 1e-4);
        if (d < colour.w) light += colour.rgb * (max(dot(normal, to_lamp), 0.0) / (d * d));
    }
    return light;
}

void main() {
    bool terrain = a_draw.y == TERRAIN;
    int row = int(terrain ? a_extra >> 20u : a_draw.x) * 4;
    int surface = int(terrain ? a_extra & 0xFFFFFu : a_draw.y) * 2;
    vec4 m0 = texelFetch(u_instances, row);
    vec4 m1 = texelFetch(u_instances, row + 1);
    vec4 m2 = texelFetch(u_instances, row + 2);
    vec4 own = texelFetch(u_instances, row + 3);
    v_surface0 = texelFetch(u_surfaces, surface);
    v_surface1 = texelFetch(u_surfaces, surface + 1);

    vec4 at = vec4(a_position, 1.0);
    if (terrain) at.z -= TERRAIN_DROP;
    vec4 world = vec4(dot(m0, at), dot(m1, at), dot(m2, at), 1.0);
    vec3 flat_normal = unpack_normal(a_normal);
    vec3 normal = normalize(vec3(dot(m0.xyz, flat_normal), dot(m1.xyz, flat_normal), dot(m2.xyz, flat_normal)));
    int regime = int(own.w) % REGIMES;
    int set = int(own.w) / REGIMES;
    gl_Position = (regime == SKY ? u_sky_to_clip : u_world_to_clip) * world;

    float sun = max(dot(normal, u_sun_vector.xyz), 0.0);
    float fogged = u_fog_range.z;
    if (terrain) {
        v_uv = a_uv;
        // a byte a channel, as the block's vertex colours are kept
        vec3 light = min(vec3(1.0), u_sun_colour.rgb * sun + u_terrain_ambient.rgb);
        v_light = floor(light * 255.0) / 255.0;
        v_alpha = 1.0;
        v_blend = BLENDS[0];
    } else {
        float luminosity = own.y >= 0.0 ? own.y : uintBitsToFloat(v_surface1.y);
        float diffuse = own.z >= 0.0 ? own.z : uintBitsToFloat(v_surface1.z);
        vec3 light;
        if (regime == SUN || regime == SKY) {
            light = vec3(luminosity) + u_object_ambient.rgb + u_sun_colour.rgb * (sun * diffuse);
        } else if (regime == BAKED) {
            light = vec3(float(a_extra & 0xFFu), float((a_extra >> 8u) & 0xFFu), float((a_extra >> 16u) & 0xFFu)) / 255.0
                + u_indoor_ambient.rgb;
        } else {
            light = vec3(luminosity) + u_indoor_ambient.rgb;
        }
        if (set > 0) light += lamplight(row / 4 - set, world.xyz, normal);
        v_light = clamp(light, 0.0, 1.0);
        bool moves = (v_surface0.x & MOVES) != 0u;
        vec2 words = uintBitsToFloat(uvec2(v_surface0.w, v_surface1.w));
        v_uv = moves ? a_uv + words : a_uv * words.x;
        v_alpha = own.x * uintBitsToFloat(v_surface1.x);
        // a translucent material blends what its surface does not, and tests no alpha
        uint blend = (v_surface0.x >> 4u) & 15u;
        bool faded = own.x < 1.0;
        if (faded && (v_surface0.x & DETAIL) == 0u && (blend == 0u || v_surface0.z != 0u)) blend = 1u;
        if (faded) v_surface0.z = 0u;
        v_blend = BLENDS[int(blend)];
        if ((v_surface0.x & NO_FOG) != 0u || regime == SKY) fogged = 0.0;
    }
    v_fog = clamp((distance(world.xyz, u_eye.xyz) - u_fog_range.x) * u_fog_range.y, 0.0, 1.0) * fogged;
}
