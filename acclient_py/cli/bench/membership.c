// The yardstick of `membership`: statics made and published, movers committed, on the rows of
// physics/layout.py, as a C programmer would write it.
#include "crossing.c"
#include <string.h>

typedef int64_t i64;
typedef struct { u32 id; i32 side, cell_first, env_first, env_count; u32 generation; i32 water; } Block;
typedef struct { float plane[4]; u32 other; i32 other_portal; uint8_t side, exact; } Portal;
typedef struct {
    i32 sphere_first, sphere_count, cylinder_first, cylinder_count;
    float sorting[4], height, radius, step_up, step_down; u32 flags;
} Shape;
typedef struct __attribute__((packed)) {
    u32 id, flags; float physics[4], drawing[4], low[3], high[3], sort[3]; i32 bsp, degrade;
} Gfx;

typedef struct { // the order of layout.Arrays
    i64 *control; void *events; Object *objects; Part *parts; float *poses; Shadow *shadows;
    i32 *places; Entry *entries; i32 *order, *ranks; i64 *shadow_meta, *place_meta, *entry_meta;
    void *lights; Cell *cells; Block *blocks; i32 *block_of, *env_table; Portal *portals;
    u32 *stabs; float *planes; void *buildings, *building_portals; Shape *shapes;
    float *spheres, *cylinders; Gfx *gfx;
} Graph;

typedef struct { u32 ids[64]; i32 slots[64]; i32 count, outside; } List;

enum { LAND_CELL = 1, BSP = 0x10000, USED = 0, FREE_LISTS = 2, SHADOWS = 2, ENTRIES = 3 };

static const float EPS = 0.0002f, SLACK = 0.01f;

i32 sizes_more(i32 which) {
    return which == 0 ? sizeof(Block) : which == 1 ? sizeof(Portal)
         : which == 2 ? sizeof(Shape) : sizeof(Gfx);
}

static i32 slot_of(const Graph *g, u32 id) {
    u32 low = id & 0xFFFF;
    i32 b = g->block_of[id >> 16];
    if (b < 0) return -1;
    const Block *block = &g->blocks[b];
    if (low < 0x100)
        return block->cell_first < 0 || low < 1 || low > 64 ? -1 : block->cell_first + (i32)low - 1;
    if ((i32)(low - 0x100) >= block->env_count) return -1;
    return g->env_table[block->env_first + low - 0x100];
}

static void add(List *l, u32 id, i32 slot) {
    for (i32 i = 0; i < l->count; i++) if (l->ids[i] == id) return;
    l->ids[l->count] = id;
    l->slots[l->count++] = slot;
}

static void turn(const float *q, float sign, float x, float y, float z, float *out) {
    float w = q[0], a = sign * q[1], b = sign * q[2], c = sign * q[3];
    float xx = a * a, yy = b * b, zz = c * c, xy = a * b, xz = a * c, yz = b * c;
    float wx = w * a, wy = w * b, wz = w * c;
    out[0] = (1 - 2 * (yy + zz)) * x + 2 * (xy - wz) * y + 2 * (xz + wy) * z;
    out[1] = 2 * (xy + wz) * x + (1 - 2 * (xx + zz)) * y + 2 * (yz - wx) * z;
    out[2] = 2 * (xz - wy) * x + 2 * (yz + wx) * y + (1 - 2 * (xx + yy)) * z;
}

static float dist(const float *plane, const float *p) {
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3];
}

// the bounds of a part's box, in its block (to null) or in a cell's frame
static void bounds(const Part *p, const Gfx *gfx, const float *to, float *low, float *high) {
    for (i32 corner = 0; corner < 8; corner++) {
        float v[3];
        turn(p->frame + 3, 1, corner & 1 ? gfx->high[0] : gfx->low[0],
             corner & 2 ? gfx->high[1] : gfx->low[1], corner & 4 ? gfx->high[2] : gfx->low[2], v);
        if (to) {
            float t[3] = {v[0] + p->frame[0] - to[0], v[1] + p->frame[1] - to[1],
                          v[2] + p->frame[2] - to[2]};
            turn(to + 3, -1, t[0], t[1], t[2], v);
        }
        for (i32 k = 0; k < 3; k++) {
            if (corner == 0 || v[k] < low[k]) low[k] = v[k];
            if (corner == 0 || v[k] > high[k]) high[k] = v[k];
        }
    }
    if (!to)
        for (i32 k = 0; k < 3; k++) { low[k] += p->frame[k]; high[k] += p->frame[k]; }
}

static float corner_dist(const float *plane, const float *low, const float *high, i32 corner) {
    return plane[0] * (corner & 1 ? high[0] : low[0]) + plane[1] * (corner & 2 ? high[1] : low[1])
         + plane[2] * (corner & 4 ? high[2] : low[2]) + plane[3];
}

static i32 which_side(float d) { return d > EPS ? 0 : d < -EPS ? 1 : 2; }

static i32 box_side(const float *plane, const float *low, const float *high) {
    i32 side = which_side(corner_dist(plane, low, high, 0));
    if (side == 2) return 3;
    for (i32 corner = 1; corner < 8; corner++)
        if (which_side(corner_dist(plane, low, high, corner)) != side) return 3;
    return side;
}

static i32 box_in_cell(const Graph *g, const Cell *c, const float *low, const float *high) {
    for (i32 i = 0; i < c->plane_count; i++) {
        const float *plane = g->planes + 4 * (c->plane_first + i);
        i32 out = 1;
        for (i32 corner = 0; corner < 8 && out; corner++)
            out = corner_dist(plane, low, high, corner) < -EPS;
        if (out) return 0;
    }
    return 1;
}

static void outside_parts(const Graph *g, const Object *me, List *l) {
    if (l->outside) return;
    l->outside = 1;
    u32 home = me->part_cell_id;
    const Part *first = &g->parts[me->part_first];
    i32 bx = (i32)(home >> 24) * 8, by = (i32)((home >> 16) & 0xFF) * 8;
    float ox = fabsf(first->frame[0]) < EPS ? 0 : first->frame[0];
    float oy = fabsf(first->frame[1]) < EPS ? 0 : first->frame[1];
    i32 x = bx + (i32)floorf(ox / 24), y = by + (i32)floorf(oy / 24);
    if (x < 0 || y < 0 || x >= 2040 || y >= 2040) return;
    u32 at = (u32)(((y >> 3) | ((x >> 3) << 8)) << 16) | (u32)((x & 7) * 8 + (y & 7) + 1);
    if (slot_of(g, at) < 0) return;
    float dx = (float)(((i32)(home >> 24) - (i32)(at >> 24)) * 192);
    float dy = (float)(((i32)((home >> 16) & 0xFF) - (i32)((at >> 16) & 0xFF)) * 192);
    i32 cx = x & 7, cy = y & 7, x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    for (i32 k = 0; k < me->part_count; k++) {
        const Part *p = &g->parts[me->part_first + k];
        float low[3], high[3];
        Part moved = *p;
        moved.frame[0] += dx;
        moved.frame[1] += dy;
        bounds(&moved, &g->gfx[p->gfx], 0, low, high);
        i32 a = (i32)floorf(low[0] / 24) - cx, b = (i32)floorf(low[1] / 24) - cy;
        i32 c = (i32)floorf(high[0] / 24) - cx, d = (i32)floorf(high[1] / 24) - cy;
        if (a < x0) x0 = a;
        if (b < y0) y0 = b;
        if (c > x1) x1 = c;
        if (d > y1) y1 = d;
    }
    for (i32 i = x + x0 < 0 ? 0 : x + x0; i <= x + x1 && i < 2040; i++)
        for (i32 j = y + y0 < 0 ? 0 : y + y0; j <= y + y1 && j < 2040; j++) {
            u32 id = (u32)(((j >> 3) | ((i >> 3) << 8)) << 16) | (u32)((i & 7) * 8 + (j & 7) + 1);
            add(l, id, slot_of(g, id));
        }
}

static void by_boxes(const Graph *g, const Object *me, List *l) {
    l->count = l->outside = 0;
    if (me->cell < 0) return;
    add(l, g->cells[me->cell].id, me->cell);
    for (i32 i = 0; i < l->count; i++) {
        if (l->slots[i] < 0) continue;
        const Cell *c = &g->cells[l->slots[i]];
        if (c->kind == LAND_CELL) { outside_parts(g, me, l); continue; }
        for (i32 k = 0; k < c->portal_count; k++) {
            const Portal *portal = &g->portals[c->portal_first + k];
            for (i32 n = 0; n < me->part_count; n++) {
                const Part *p = &g->parts[me->part_first + n];
                const Gfx *gfx = &g->gfx[p->gfx];
                float v[3], low[3], high[3];
                turn(p->frame + 3, 1, gfx->drawing[0], gfx->drawing[1], gfx->drawing[2], v);
                turn(c->frame + 3, -1, v[0] + p->frame[0] - c->frame[0],
                     v[1] + p->frame[1] - c->frame[1], v[2] + p->frame[2] - c->frame[2], v);
                float d = dist(portal->plane, v), r = gfx->drawing[3] + EPS;
                if (portal->side == 0 ? d > r : d < -r) continue;
                bounds(p, gfx, c->frame, low, high);
                if (box_side(portal->plane, low, high) == portal->side) continue;
                i32 other = slot_of(g, portal->other);
                if (other < 0) { add(l, portal->other, -1); break; }
                bounds(p, gfx, g->cells[other].frame, low, high);
                if (box_in_cell(g, &g->cells[other], low, high)) { add(l, portal->other, other); break; }
            }
        }
    }
}

static void by_cylinders(const Graph *g, const Object *me, const Shape *shape, List *l) {
    l->count = l->outside = 0;
    float spheres[10][4];
    i32 n = shape->cylinder_count < 10 ? shape->cylinder_count : 10;
    for (i32 k = 0; k < n; k++) {
        const float *c = g->cylinders + 5 * (shape->cylinder_first + k);
        turn(me->frame + 3, 1, c[0], c[1], c[2], spheres[k]);
        for (i32 a = 0; a < 3; a++) spheres[k][a] += me->frame[a];
        spheres[k][3] = c[3];
    }
    i32 seed = slot_of(g, me->objcell_id);
    add(l, me->objcell_id, seed);
    for (i32 i = 0; i < l->count; i++) {
        if (l->slots[i] < 0) continue;
        const Cell *c = &g->cells[l->slots[i]];
        for (i32 k = 0; k < c->portal_count; k++) {
            const Portal *portal = &g->portals[c->portal_first + k];
            i32 other = slot_of(g, portal->other);
            for (i32 s = 0; s < n; s++) {
                float v[3], r;
                const float *f = other >= 0 ? g->cells[other].frame : c->frame;
                turn(f + 3, -1, spheres[s][0] - f[0], spheres[s][1] - f[1], spheres[s][2] - f[2], v);
                i32 hit = 1;
                if (other >= 0) {
                    const Cell *o = &g->cells[other];
                    r = spheres[s][3] + SLACK;
                    for (i32 p = 0; p < o->plane_count && hit; p++)
                        hit = !(dist(g->planes + 4 * (o->plane_first + p), v) <= -r);
                } else {
                    float d = dist(portal->plane, v);
                    r = spheres[s][3] + EPS;
                    hit = portal->side == 1 ? d > -r : d < r;
                }
                if (hit) { add(l, portal->other, other); break; }
            }
        }
    }
    const Cell *from = &g->cells[seed];
    for (i32 i = 0; i < l->count;) {
        i32 keep = l->ids[i] == from->id;
        for (i32 k = 0; k < from->stab_count; k++) keep |= g->stabs[from->stab_first + k] == l->ids[i];
        if (keep) { i++; continue; }
        l->count--;
        l->ids[i] = l->ids[l->count];
        l->slots[i] = l->slots[l->count];
    }
}

static i32 class_of(i32 count) {
    i32 k = 0;
    while ((1 << k) < count) k++;
    return k;
}

static i32 take(i64 *meta, void *links, i32 stride, i32 k) {
    i64 first = meta[FREE_LISTS + k];
    if (first >= 0) {
        meta[FREE_LISTS + k] = *(i32 *)((char *)links + first * stride);
        return (i32)first;
    }
    first = meta[USED];
    meta[USED] = first + (1 << k);
    return (i32)first;
}

static void give(i64 *meta, void *links, i32 stride, i32 first, i32 k) {
    *(i32 *)((char *)links + (i64)first * stride) = (i32)meta[FREE_LISTS + k];
    meta[FREE_LISTS + k] = first;
}

static void publish(Graph *g, i32 o, const List *l) {
    Object *me = &g->objects[o];
    unshadow(g->objects, g->shadows, g->cells, g->entries, g->order, g->ranks, g->places, o);
    if (l->count > me->shadow_room) {
        if (me->shadow_room)
            give(g->shadow_meta, g->shadows, sizeof(Shadow), me->shadow_first, class_of(me->shadow_room));
        i32 k = class_of(l->count);
        me->shadow_first = take(g->shadow_meta, g->shadows, sizeof(Shadow), k);
        me->shadow_room = 1 << k;
    }
    if (l->count * me->part_count > me->place_room) {
        if (me->place_room) give(g->place_meta, g->places, 4, me->place_first, class_of(me->place_room));
        i32 k = class_of(l->count * me->part_count);
        me->place_first = take(g->place_meta, g->places, 4, k);
        me->place_room = 1 << k;
    }
    for (i32 i = 0; i < l->count; i++) {
        if (l->slots[i] < 0) continue;
        Cell *c = &g->cells[l->slots[i]];
        while (c->parts_count + me->part_count > c->parts_room) {
            i32 k = c->parts_room ? class_of(c->parts_room) + 1 : 1;
            i32 old = c->parts_first, new = take(g->entry_meta, g->entries, sizeof(Entry), k);
            memcpy(g->entries + new, g->entries + old, sizeof(Entry) * c->parts_count);
            memcpy(g->order + new, g->order + old, sizeof(i32) * c->parts_count);
            memcpy(g->ranks + new, g->ranks + old, sizeof(i32) * c->parts_count);
            if (c->parts_room) give(g->entry_meta, g->entries, sizeof(Entry), old, k - 1);
            c->parts_first = new;
            c->parts_room = 1 << k;
        }
    }
    shadow(g->objects, g->shadows, g->cells, g->entries, g->order, g->ranks, g->places, g->parts, l->count,
           l->ids, l->slots, o);
}

typedef struct { u32 did; float frame[7]; } Static;

// what statics are made of: one manifest a room, patterns by data id, the rows that are free
typedef struct {
    i64 rooms; const u32 *ids; const i32 *slots; const i64 *sizes; // of each room
    const Static *const *statics;                                  // of each room, its manifest
    const u32 *keys; const i32 *values; i64 mask;                  // open addressing, 0 unused
    const Object *patterns; const Part *parts;                     // part_first: into parts
    i32 *free_objects; i64 free_object_count, *used_objects;       // taken from their ends
    i32 **free_parts; i64 *free_part_counts, *used_parts;          // by the number of parts
    char *bodies; const char *fresh; i64 body_size, body_generation;
    const i32 *generations; double clock; i32 *made;
} Manifest;

static i32 pattern_of(const Manifest *m, u32 did) {
    i64 at = (i64)(did * 2654435761u) & m->mask;
    while (m->keys[at] != did) at = (at + 1) & m->mask;
    return m->values[at];
}

static i32 make(Graph *g, Manifest *m, u32 room, i64 index, u32 did) {
    const Object *pattern = &m->patterns[pattern_of(m, did)];
    i32 o = m->free_object_count ? m->free_objects[--m->free_object_count] : (i32)(*m->used_objects)++;
    Object *me = &g->objects[o];
    *me = *pattern;
    i64 n = me->part_count;
    if (m->free_part_counts[n]) me->part_first = m->free_parts[n][--m->free_part_counts[n]];
    else { me->part_first = (i32)*m->used_parts; *m->used_parts += n; }
    me->home_id = room;
    me->home_index = (i32)index;
    me->update_time = m->clock;
    me->generation = (uint16_t)m->generations[o];
    for (i64 k = 0; k < n; k++) {
        Part *part = &g->parts[me->part_first + k];
        *part = m->parts[pattern->part_first + k];
        part->object = o;
    }
    char *body = m->bodies + o * m->body_size;
    memcpy(body, m->fresh, (size_t)m->body_size);
    *(i32 *)(body + m->body_generation) = m->generations[o];
    return o;
}

// passes: 1 makes the rows, 2 places what has them, 3 does both, object by object
void statics(Graph *g, Manifest *m, i32 passes) {
    List l;
    i64 at = 0;
    for (i64 room = 0; room < m->rooms; room++)
        for (i64 i = 0; i < m->sizes[room]; i++, at++) {
            if (passes & 1) m->made[at] = make(g, m, m->ids[room], i, m->statics[room][i].did);
            if (!(passes & 2)) continue;
            i32 o = m->made[at];
            Object *me = &g->objects[o];
            enter(g->objects, g->cells, o, m->slots[room]);
            memcpy(me->frame, m->statics[room][i].frame, sizeof me->frame);
            compose(g->objects, g->parts, g->poses, o);
            const Shape *shape = &g->shapes[me->shape];
            if (!(me->state & BSP) && shape->cylinder_count) by_cylinders(g, me, shape, &l);
            else by_boxes(g, me, &l);
            publish(g, o, &l);
        }
}

// n movers: cell, frame, then the array that their boxes give, or the one that they bring
void commit(Graph *g, i32 n, const i32 *roots, const i32 *targets, const float *frames,
            const i32 *firsts, const i32 *counts, const u32 *ids, const i32 *slots) {
    List l;
    for (i32 i = 0; i < n; i++) {
        Object *me = &g->objects[roots[i]];
        if (me->cell == targets[i]) me->objcell_id = me->part_cell_id = g->cells[targets[i]].id;
        else {
            leave(g->objects, g->cells, roots[i]);
            enter(g->objects, g->cells, roots[i], targets[i]);
        }
        memcpy(me->frame, frames + 7 * i, sizeof me->frame);
        compose(g->objects, g->parts, g->poses, roots[i]);
    }
    for (i32 i = 0; i < n; i++) {
        Object *me = &g->objects[roots[i]];
        if (me->state & BSP) by_boxes(g, me, &l);
        else {
            l.count = counts[i];
            memcpy(l.ids, ids + firsts[i], sizeof(u32) * l.count);
            memcpy(l.slots, slots + firsts[i], sizeof(i32) * l.count);
        }
        publish(g, roots[i], &l);
    }
}
