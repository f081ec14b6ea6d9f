// What one frame is drawn with; the numpy twin is FRAME_DTYPE in render/frame_data.py.
layout(std140) uniform Frame {
    mat4 u_world_to_clip;
    mat4 u_sky_to_clip;
    vec4 u_eye;              // xyz
    vec4 u_sun_vector;       // its length is the sun's level
    vec4 u_sun_colour;
    vec4 u_terrain_ambient;  // colour times level
    vec4 u_object_ambient;   // of things under the sun
    vec4 u_indoor_ambient;   // of cells and what is in them
    vec4 u_fog_colour;
    vec4 u_fog_range;        // start, 1 / (end - start), on
};
