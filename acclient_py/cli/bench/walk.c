/* The frame's walk over a landscape without buildings, and its commands, in C: the yardstick of
   kernels/walk.py and kernels/commands.py. Reads and writes the very arrays of the program (made.h is
   written from their layouts) and comes to the same bytes. No fused multiply-add: -std=c11. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "made.h"

#define TOP 1000.0f
#define OUT 1001.0f
#define CELL_M 24.0f
#define TOO_FAR 3.0e38f

static inline float absolute(float x) { return x < 0 ? -x : x; }
static inline float larger(float a, float b) { return b > a ? b : a; }

/* ------------------------------------------------------------------ what is in view */

static void point_limits(const float (*planes)[4], int count, float x0, float y0, float step, int side,
                         float *restrict out)
{
    for (int k = 0; k < count; k++) {
        float nx = planes[k][0], ny = planes[k][1], nz = planes[k][2], d = planes[k][3];
        int upright = absolute(nz) <= CULL_EPS, from_above = nz > CULL_EPS;
        float by = upright ? 1.0f : nz;
        float *row = out + (int64_t)k * side * side;
        for (int i = 0; i < side; i++, row += side) {
            float x = x0 + step * (float)i;
            for (int j = 0; j < side; j++) {
                float y = y0 + step * (float)j, s = nx * x + ny * y + d, h = -s / by;
                if (upright)
                    row[j] = s < -CULL_EPS ? OUT : 0;
                else if (from_above)
                    row[j] = h >= TOP ? OUT : h > 0 ? -h : 0;
                else
                    row[j] = !(h > 0) ? OUT : h >= TOP ? 0 : h;
            }
        }
    }
}

static inline float rate(float b, float low, float high)
{
    float h = absolute(b);
    float from_above = h <= low ? 2.0f : h >= high ? 0.0f : 1.0f;
    float from_below = h >= high ? 2.0f : h <= low ? 0.0f : 1.0f;
    float rating = b < 0 ? from_above : from_below;
    rating = b == 0 ? 2.0f : rating;
    return b == OUT ? 0.0f : rating;
}

static void check_squares(const float *bounds, int count, int side, const float *low, const float *high,
                          uint8_t *restrict out)
{
    int step = side + 1;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int q = i * side + j, verdict = 2;
            for (int k = 0; k < count; k++) {
                const float *at = bounds + (int64_t)k * step * step + i * step + j;
                float total = rate(at[0], low[q], high[q]) + rate(at[1], low[q], high[q]) +
                              rate(at[step], low[q], high[q]) + rate(at[step + 1], low[q], high[q]);
                if (total == 0) {
                    verdict = 0;
                    break;
                }
                if (total < 8)
                    verdict = 1;
            }
            out[q] = verdict;
        }
}

static void check_cells(float *restrict bounds, int count, float low, float high, float *restrict verdict)
{
    for (int q = 0; q < 64; q++)
        verdict[q] = 2.0f;
    for (int k = 0; k < count; k++) {
        float *row = bounds + k * 81;
        for (int p = 0; p < 81; p++)
            row[p] = rate(row[p], low, high);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                const float *at = row + i * 9 + j;
                float total = at[0] + at[1] + at[9] + at[10];
                float worst = total > 7.0f ? 2.0f : total > 0 ? 1.0f : 0.0f;
                verdict[i * 8 + j] = worst < verdict[i * 8 + j] ? worst : verdict[i * 8 + j];
            }
    }
}

static void check_blocks(const Window *w, int views)
{
    int64_t places = w->blocks_n0;
    int width = (int)(sqrt((double)places) + 0.5);
    memset(w->block_in_view, 0, places);
    memset(w->cell_in_view, 0, places * 64);
    for (int v = 0; v < views; v++) {
        int count = w->views[v].plane_count;
        const float (*planes)[4] = (const float (*)[4])w->views[v].planes;
        point_limits(planes, count, w->origin[0], w->origin[1], BLOCK_SIZE, width + 1, w->grid);
        check_squares(w->grid, count, width, w->low, w->high, w->rated);
        for (int64_t q = 0; q < places; q++) {
            int r = w->rated[q];
            if (r == 0 || w->blocks[q] < 0)
                continue;
            w->block_in_view[q] = r;
            uint8_t *seen = w->cell_in_view + q * 64;
            int n = w->side[q];
            if (n != 8) {
                memset(seen, 1, n * n);
            } else if (r == 2) {
                memset(seen, 2, 64);
            } else {
                int ix = (int)(q / width), iy = (int)(q - (int64_t)ix * width);
                point_limits(planes, count, w->origin[0] + BLOCK_SIZE * (float)ix,
                             w->origin[1] + BLOCK_SIZE * (float)iy, CELL_M, 9, w->cell_grid);
                check_cells(w->cell_grid, count, w->low[q], w->high[q], w->cell_rated);
                for (int c = 0; c < 64; c++)
                    seen[c] = seen[c] ? seen[c] : (uint8_t)w->cell_rated[c];
            }
        }
    }
}

/* ------------------------------------------------------------------ parts */

static inline void rotation(const float *q, float *m)
{
    float qw = q[3], qx = q[4], qy = q[5], qz = q[6];
    m[0] = 1.0f - 2.0f * (qy * qy + qz * qz);
    m[1] = 2.0f * (qx * qy - qw * qz);
    m[2] = 2.0f * (qx * qz + qw * qy);
    m[3] = 2.0f * (qx * qy + qw * qz);
    m[4] = 1.0f - 2.0f * (qx * qx + qz * qz);
    m[5] = 2.0f * (qy * qz - qw * qx);
    m[6] = 2.0f * (qx * qz - qw * qy);
    m[7] = 2.0f * (qy * qz + qw * qx);
    m[8] = 1.0f - 2.0f * (qx * qx + qy * qy);
}

static inline int level_of(const Level *levels, int first, int count, float distance)
{
    float d = larger(0, absolute(distance) - DEGRADE_ALLOWANCE);
    for (int i = 0; i < count; i++)
        if (d < levels[first + i].ideal)
            return i;
    return count - 1;
}

static void update_obj_cell(const Membership *g, const Meshes *meshes, const Memory *memory,
                            const Cell *cell, float ex, float ey, float ez)
{
    int64_t *c = memory->counters;
    int64_t camera_x = c[CAMERA_X], camera_y = c[CAMERA_Y], player = c[PLAYER];
    int far = 0;
    float cell_distance = 0;
    if (cell->kind == 1) {
        int64_t id = cell->id, low = (id & 0xFFFF) - 1;
        float x = (float)((id >> 24) - camera_x) * BLOCK_SIZE + (float)((2 * (low >> 3) + 1) * 12) - ex;
        float y = (float)((id >> 16 & 0xFF) - camera_y) * BLOCK_SIZE +
                  (float)((2 * (low & 7) + 1) * 12) - ey;
        cell_distance = sqrtf(x * x + y * y);
        far = cell_distance > FAR_CELL;
    }
    for (int s = cell->shadows_first; s >= 0; s = g->shadows[s].next) {
        int o = g->shadows[s].object;
        const Object *object = g->objects + o;
        int64_t id = object->objcell_id;
        float bx = (float)((id >> 24) - camera_x) * BLOCK_SIZE;
        float by = (float)((id >> 16 & 0xFF) - camera_y) * BLOCK_SIZE;
        float whole = cell_distance;
        int shared = far;
        int emitter = (object->state & PARTICLE_EMITTER) != 0;
        if (!far) {
            float vx = bx + object->frame[0] - ex, vy = by + object->frame[1] - ey;
            float vz = object->frame[2] - ez, flat = vx * vx + vy * vy;
            whole = sqrtf(flat + vz * vz);
            shared = flat >= (emitter ? PARTICLE_LIMIT_SQ : OBJECT_LIMIT_SQ);
        }
        id = object->part_cell_id;
        bx = (float)((id >> 24) - camera_x) * BLOCK_SIZE;
        by = (float)((id >> 16 & 0xFF) - camera_y) * BLOCK_SIZE;
        uint32_t key = (uint32_t)((o + 1) * 8191 + (int64_t)object->generation);
        for (int p = object->part_first; p < object->part_first + object->part_count; p++) {
            const Part *part = g->parts + p;
            PartMemory *known = memory->parts + p;
            int gfx = part->gfx;
            float d = whole;
            if (!shared) {
                if (gfx < 0)
                    continue;
                const float *centre = g->gfx[gfx].sort_center;
                float m[9];
                rotation(part->frame, m);
                float sx = part->scale[0] * centre[0], sy = part->scale[1] * centre[1];
                float sz = part->scale[2] * centre[2];
                float rx = m[0] * sx + m[1] * sy + m[2] * sz;
                float ry = m[3] * sx + m[4] * sy + m[5] * sz;
                float rz = m[6] * sx + m[7] * sy + m[8] * sz;
                float x = bx + (rx + part->frame[0]) - ex, y = by + (ry + part->frame[1]) - ey;
                float z = rz + part->frame[2] - ez;
                d = sqrtf(x * x + y * y + z * z);
            }
            known->cypt = d;
            known->owner = key;
            known->level = 0;
            known->mode = PLAIN;
            if (emitter && gfx >= 0) {
                const GfxMesh *shape = meshes->gfx + gfx;
                int last = shape->level_count - 2;
                float most = shape->level_count <= 0
                                 ? NO_TABLE_DISTANCE
                                 : meshes->levels[shape->level_first + (last > 0 ? last : 0)].high;
                if (whole > most) {
                    known->level = GONE;
                    continue;
                }
            }
            if (gfx >= 0 && o != player && meshes->gfx[gfx].level_count > 0) {
                const GfxMesh *shape = meshes->gfx + gfx;
                float z_scale = part->scale[2];
                int level = level_of(meshes->levels, shape->level_first, shape->level_count,
                                     z_scale == 0 ? d : d / z_scale);
                known->level = level;
                known->mode = meshes->levels[shape->level_first + level].mode;
            }
        }
    }
}

static void sort_cell(const Membership *g, const Memory *memory, const Cell *cell)
{
    int first = cell->parts_first, n = cell->parts_count, moved = 0;
    int32_t *order = g->order + first;
    float *keys = memory->keys, before = INFINITY;
    for (int k = 0; k < n; k++) {
        float key = memory->parts[g->entries[first + order[k]].part].cypt;
        keys[k] = key;
        moved |= key > before;
        before = key;
    }
    if (!moved)
        return;
    for (int i = n - 2; i >= 0; i--) {
        float key = keys[i];
        int32_t entry = order[i];
        int j = i;
        while (j + 1 < n && keys[j + 1] > key) {
            keys[j] = keys[j + 1];
            order[j] = order[j + 1];
            j++;
        }
        keys[j] = key;
        order[j] = entry;
    }
    for (int k = 0; k < n; k++)
        g->ranks[first + order[k]] = k;
}

static int has_room(const Memory *memory, int64_t records)
{
    int64_t *c = memory->counters;
    if (c[N_RECORDS] + records + ROOM > memory->stream_n0 || c[N_INSTANCES] + 2 > memory->instances_n0) {
        c[FULL] = 1;
        return 0;
    }
    return 1;
}

static void draw_mesh(const Memory *memory, const Meshes *meshes, int mesh, int op, uint32_t row,
                      uint32_t owner, uint16_t part_index, float cypt, uint16_t view, int defer,
                      int faded)
{
    int64_t *c = memory->counters, n = c[N_RECORDS];
    const Slot *slots = meshes->slots + meshes->meshes[mesh].slot_first;
    int count = meshes->meshes[mesh].slot_count;
    for (int i = 0; i < count; i++) {
        const Slot *slot = slots + i;
        if (slot->count == 0)
            continue;
        int kind = op, flags = 0;
        uint8_t state = faded ? S_BLEND : slot->state;
        Draw *r;
        if (defer && (faded || slot->mask & 14)) {
            int clipped = slot->mask & 8;
            int64_t *held = c + (clipped ? N_CLIP : N_ALPHA);
            if (*held >= LIST_SLOTS) {
                c[DROPPED]++;
                continue;
            }
            r = (clipped ? memory->clip : memory->alpha) + (*held)++;
            kind = clipped ? CLIP : ALPHA;
            flags = clipped ? F_CLIP_LIST : 0;
        } else {
            r = memory->stream + n++;
        }
        *r = (Draw){.op = kind, .state = state, .layout = 0, .flags = flags, .first = slot->first,
                    .count = slot->count, .base = slot->base, .instance = row, .owner = owner,
                    .part_index = part_index, .surface_slot = i, .cypt = cypt, .view = view,
                    .light_set = 0, .material = slot->material};
    }
    c[N_RECORDS] = n;
}

static int flush(const Memory *memory)
{
    int64_t *c = memory->counters, clips = c[N_CLIP], alphas = c[N_ALPHA], n = c[N_RECORDS];
    if (n + clips + alphas > memory->stream_n0) {
        c[FULL] = 1;
        return 0;
    }
    memcpy(memory->stream + n, memory->clip, clips * sizeof(Draw));
    memcpy(memory->stream + n + clips, memory->alpha, alphas * sizeof(Draw));
    c[N_RECORDS] = n + clips + alphas;
    c[N_CLIP] = c[N_ALPHA] = 0;
    return 1;
}

static void draw_obj_cell(const Membership *g, const Meshes *meshes, const Memory *memory,
                          const View *views, int view_count, const Cell *cell)
{
    int64_t *c = memory->counters;
    int64_t camera_x = c[CAMERA_X], camera_y = c[CAMERA_Y], player = c[PLAYER];
    uint32_t stamp = (uint32_t)c[STAMP];
    int first = cell->parts_first;
    for (int k = 0; k < cell->parts_count; k++) {
        const Entry *entry = g->entries + first + g->order[first + k];
        int p = entry->part, o = entry->object;
        const Part *part = g->parts + p;
        PartMemory *known = memory->parts + p;
        int gfx = part->gfx;
        if (gfx < 0 || part->flags & PART_NODRAW || known->stamp == stamp)
            continue;
        uint32_t key = (uint32_t)((o + 1) * 8191 + (int64_t)g->objects[o].generation);
        if (known->owner != key) {
            known->owner = key;
            known->cypt = NEVER;
            known->level = 0;
            known->mode = PLAIN;
        }
        if (known->level == GONE)
            continue;
        int shown = gfx;
        const GfxMesh *shape = meshes->gfx + gfx;
        int level = known->level;
        if (level >= shape->level_count)
            level = shape->level_count > 0 ? shape->level_count - 1 : 0;
        if (shape->level_count > 0)
            shown = meshes->levels[shape->level_first + level].gfx;
        if (shown < 0)
            continue;
        int mesh = meshes->gfx[shown].mesh;
        int look = part->look;
        if (0 < look && look < meshes->looks_n0 && meshes->looks[look] >= 0)
            mesh = meshes->look_meshes[meshes->looks[look] + level];
        if (mesh < 0)
            continue;
        c[PARTS_TESTED]++;
        int64_t id = g->objects[o].part_cell_id;
        float ox = (float)((id >> 24) - camera_x) * BLOCK_SIZE;
        float oy = (float)((id >> 16 & 0xFF) - camera_y) * BLOCK_SIZE;
        float m[9];
        const float *at = part->frame, *sphere = g->gfx[shown].drawing_sphere;
        float sx = part->scale[0], sy = part->scale[1], sz = part->scale[2];
        rotation(at, m);
        float cx = sphere[0] * sx, cy = sphere[1] * sy, cz = sphere[2] * sz;
        float radius = sphere[3] * larger(absolute(sx), larger(absolute(sy), absolute(sz)));
        float x = m[0] * cx + m[1] * cy + m[2] * cz + at[0] + ox;
        float y = m[3] * cx + m[4] * cy + m[5] * cz + at[1] + oy;
        float z = m[6] * cx + m[7] * cy + m[8] * cz + at[2];
        if (!(absolute(x + y + z) < NEVER))
            c[ASTRAY] = p + 1;
        int seen = 0;
        for (int v = 0; v < view_count; v++) {
            float least = NEVER;
            for (int i = 0; i < views[v].plane_count; i++) {
                const float *n = views[v].planes[i];
                float d = n[0] * x + n[1] * y + n[2] * z + n[3];
                least = d < least ? d : least;
            }
            seen += !(least < -radius);
        }
        if (seen == 0)
            continue;
        int times = o == player ? seen : 1;
        known->stamp = stamp;
        if (!has_room(memory, (int64_t)times * meshes->meshes[mesh].slot_count))
            return;
        int64_t row = c[N_INSTANCES]++;
        float *out = memory->instances + row * 16;
        out[0] = m[0] * sx, out[1] = m[1] * sy, out[2] = m[2] * sz, out[3] = at[0] + ox;
        out[4] = m[3] * sx, out[5] = m[4] * sy, out[6] = m[5] * sz, out[7] = at[1] + oy;
        out[8] = m[6] * sx, out[9] = m[7] * sy, out[10] = m[8] * sz, out[11] = at[2];
        out[12] = 1.0f - part->translucency;
        out[13] = part->flags & PART_LUMINOSITY ? part->luminosity : -1.0f;
        out[14] = part->flags & PART_DIFFUSE ? part->diffuse : -1.0f;
        out[15] = 0;
        c[PARTS_DRAWN]++;
        for (int t = 0; t < times; t++)
            draw_mesh(memory, meshes, mesh, PART, row, o, entry->part_index, known->cypt, 0, 1,
                      part->translucency > 0);
    }
}

static void draw_sky(const Memory *memory, const Meshes *meshes, const int32_t *gfx, const float *rows,
                     int64_t count, int op)
{
    int64_t *c = memory->counters;
    for (int i = 0; i < count; i++) {
        int mesh = gfx[i] >= 0 ? meshes->gfx[gfx[i]].mesh : -1;
        if (mesh < 0)
            continue;
        if (!has_room(memory, meshes->meshes[mesh].slot_count))
            return;
        int64_t row = c[N_INSTANCES]++, before = c[N_RECORDS];
        memcpy(memory->instances + row * 16, rows + i * 16, 64);
        draw_mesh(memory, meshes, mesh, op, row, i, 0, 0, 0, 0, 0);
        for (int64_t n = before; n < c[N_RECORDS]; n++)
            memory->stream[n].state = S_SKY;
    }
}

/* ------------------------------------------------------------------ the walk */

static void walk(const Membership *g, const Meshes *meshes, const Memory *memory, const Window *w,
                 const Eye *eye)
{
    int64_t *c = memory->counters;
    int views = (int)c[VIEWS];
    float ex = eye->at[0], ey = eye->at[1], ez = eye->at[2];
    for (int64_t index = w->draw_list_n0 - 1; index >= 0; index--) {
        int q = w->draw_list[index], b = w->blocks[q];
        if (b < 0 || w->block_in_view[q] == 0)
            continue;
        const Block *block = g->blocks + b;
        int base = block->cell_first, cells = block->side * block->side;
        const uint8_t *seen = w->cell_in_view + (int64_t)q * 64;
        const uint8_t *order = w->cell_orders + (int64_t)w->order_rows[q] * 64;
        if (base >= 0)
            for (int i = 0; i < 64; i++) {
                const Cell *cell = g->cells + base + order[i];
                if (seen[order[i]] == 0 || cell->shadows_count == 0)
                    continue;
                update_obj_cell(g, meshes, memory, cell, ex, ey, ez);
                if (cell->parts_count > 1)
                    sort_cell(g, memory, cell);
            }
        const Leaf *leaf = meshes->leaves + b;
        uint32_t id = block->id & 0xFFFF0000;
        for (int i = 0; i < cells; i++) {
            int at = order[i];
            if (c[N_RECORDS] + ROOM > memory->stream_n0) {
                c[FULL] = 1;
                return;
            }
            if (seen[at] && leaf->first >= 0) {
                c[LEAVES_DRAWN]++;
                memory->stream[c[N_RECORDS]++] =
                    (Draw){.op = TERRAIN, .state = S_OPAQUE, .flags = seen[at],
                           .first = leaf->first + at * 6, .count = 6, .base = leaf->base,
                           .instance = b, .owner = id + at + 1, .part_index = i,
                           .view = (uint16_t)index, .material = NO_OWNER};
            }
            if (base < 0)
                continue;
            const Cell *cell = g->cells + base + at;
            if (cell->parts_count > 0)
                draw_obj_cell(g, meshes, memory, w->views, views, cell);
            if (c[FULL])
                return;
            if (c[N_CLIP] >= DRAIN_SHARE || c[N_ALPHA] >= DRAIN_SHARE)
                flush(memory);
        }
    }
}

void paint(const Frame *row)
{
    const Memory *memory = row->memory;
    int64_t *c = memory->counters;
    c[VIEWS] = 1;
    memcpy(memory->instances, memory->lamps, c[LAMPS] * 64);
    c[N_INSTANCES] = c[LAMPS];
    c[LAMP_SET] = c[WALL_SET] = -1;
    if (c[MOVING_LAMPS] > 0) {
        float *set = memory->instances + c[LAMPS] * 16;
        for (int64_t k = 0; k < c[MOVING_LAMPS]; k++)
            set[k] = (float)(c[LAMPS] - k);
        set[8] = (float)c[MOVING_LAMPS];
        c[WALL_SET] = c[LAMPS];
        c[N_INSTANCES] = c[LAMPS] + 1;
    }
    if (c[SKY_BEFORE] >= 0)
        draw_sky(memory, row->meshes, row->sky->before, row->sky->before_rows, c[SKY_BEFORE], SKY);
    check_blocks(row->window, 1);
    walk(row->membership, row->meshes, memory, row->window, row->eye);
    if (c[SKY_AFTER] >= 0 && !c[FULL])
        draw_sky(memory, row->meshes, row->sky->after, row->sky->after_rows, c[SKY_AFTER], WEATHER);
    flush(memory);
}

/* ------------------------------------------------------------------ the commands */

static void details_of(const Draw *stream, int64_t first, int64_t end, int *n, uint32_t instance_base,
                       uint32_t draw_base, uint32_t (*commands)[5], uint32_t (*draw_data)[2], int32_t *run)
{
    run[0] = S_DETAIL;
    run[1] = *n;
    run[3] = LAYOUT_WORLD;
    for (const Draw *r = stream + first; r < stream + end; r++) {
        if (r->op > LAST_DRAW || r->state != S_DETAIL)
            continue;
        uint32_t *c = commands[*n], *d = draw_data[*n];
        c[0] = r->count, c[1] = 1, c[2] = r->first, c[3] = r->base, c[4] = draw_base + *n;
        d[0] = r->instance + instance_base, d[1] = r->material;
        ++*n;
    }
    run[2] = *n - run[1];
}

void build_commands(const Draw *stream, int64_t count, const Leaf *leaves, const uint32_t *terrain_index,
                    uint32_t instance_base, uint32_t draw_base, uint32_t stream_base,
                    uint32_t (*restrict commands)[5], uint32_t (*restrict draw_data)[2],
                    uint32_t *restrict index_stream, int32_t (*restrict runs)[4], int32_t *out)
{
    int n = 0, run = -1, streamed = 0, open_leaf = 0, state = -1, layout = -1, later = 0;
    int64_t since = 0;
    const Draw *under = 0;
    for (int64_t i = 0; i < count; i++) {
        const Draw *r = stream + i;
        if (r->op > LAST_DRAW)
            continue;
        int breaks = r->state != state || r->layout != layout;
        if (!breaks && layout == LAYOUT_PORTAL)
            breaks = (int64_t)r->first != (int64_t)runs[run][1] + runs[run][2];
        if (breaks && r->state == S_DETAIL && state == S_OPAQUE && layout == LAYOUT_WORLD && under
            && under->op != TERRAIN && r->first == under->first && r->count == under->count && r->base == under->base
            && r->instance == under->instance) {
            later = 1;
            continue;
        }
        if (breaks) {
            if (later) {
                run++;
                details_of(stream, since, i, &n, instance_base, draw_base, commands, draw_data, runs[run]);
                later = 0;
            }
            under = 0;
            since = i;
            state = r->state;
            layout = r->layout;
            run++;
            runs[run][0] = state;
            runs[run][1] = n;
            runs[run][2] = 0;
            runs[run][3] = layout;
            open_leaf = 0;
        }
        if (layout == LAYOUT_PORTAL) {
            if (runs[run][2] == 0)
                runs[run][1] = r->first;
            runs[run][2] += r->count;
            continue;
        }
        under = r;
        if (r->op == TERRAIN) {
            if (!open_leaf) {
                open_leaf = 1;
                commands[n][0] = 0;
                commands[n][1] = 1;
                commands[n][2] = stream_base + streamed;
                commands[n][3] = 0;
                commands[n][4] = draw_base + n;
                draw_data[n][0] = 0;
                draw_data[n][1] = NO_SURFACE;
                n++;
                runs[run][2]++;
            }
            memcpy(index_stream + streamed,
                   terrain_index + r->instance * 384LL + (r->first - leaves[r->instance].first), 24);
            streamed += 6;
            commands[n - 1][0] += 6;
            continue;
        }
        open_leaf = 0;
        commands[n][0] = r->count;
        commands[n][1] = 1;
        commands[n][2] = r->first;
        commands[n][3] = r->base;
        commands[n][4] = draw_base + n;
        draw_data[n][0] = r->instance + instance_base;
        draw_data[n][1] = r->material;
        n++;
        runs[run][2]++;
    }
    if (later) {
        run++;
        details_of(stream, since, count, &n, instance_base, draw_base, commands, draw_data, runs[run]);
    }
    out[0] = n;
    out[1] = run + 1;
    out[2] = streamed;
}
