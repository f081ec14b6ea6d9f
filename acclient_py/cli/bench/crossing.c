// The yardstick of `crossing`: the same work on the same rows, as a C programmer would write it:
// recursion over children, one function a step. The structs are those of physics/layout.py.
#include <math.h>
#include <stdint.h>

typedef int32_t i32;
typedef uint32_t u32;

typedef struct {
    i32 cell; u32 objcell_id; i32 cell_next, cell_prev, parent, first_child, next_sibling;
    u32 part_cell_id, state;
    uint8_t has_part_array, kind, marks, spare;
    i32 part_first; uint16_t part_count, light_count;
    i32 light_first, shadow_first, shadow_count, shadow_room, place_first, place_room;
    i32 pose_first, pose_count;
    float scale, frame[7], hold_frame[7];
    i32 hold_part, location, prev_sibling, last_child, shape;
    u32 guid; uint16_t instance, generation;
    u32 transient, home_id; i32 home_index, setup;
    double update_time;
} Object;

typedef struct {
    u32 id; uint8_t kind, resident, seen_outside, spare;
    i32 block, building;
    i32 objects_first, objects_last, objects_count;
    i32 shadows_first, shadows_last, shadows_count;
    i32 parts_first, parts_count, parts_room;
    i32 lights_first, lights_last, lights_count;
    i32 plane_first, plane_count, portal_first, portal_count, stab_first, stab_count, structure;
    float frame[7];
    u32 spare_words[2];
} Cell;

typedef struct { i32 object, cell; u32 cell_id; i32 next, prev; } Shadow;
typedef struct { i32 object, part, back; uint16_t part_index; uint8_t planes, spare; } Entry;
typedef struct {
    i32 gfx, object; float frame[7], scale[3]; u32 flags; float translucency, luminosity, diffuse;
    i32 look;
} Part;

enum { EMITTER = 0x1000, ENV = 2 };

i32 sizes(i32 which) {
    switch (which) {
    case 0: return sizeof(Object);
    case 1: return sizeof(Cell);
    case 2: return sizeof(Shadow);
    case 3: return sizeof(Entry);
    default: return sizeof(Part);
    }
}

static void leave(Object *ob, Cell *cells, i32 o) {
    Object *me = &ob[o];
    if (me->cell < 0) return;
    Cell *c = &cells[me->cell];
    i32 last = c->objects_last, p = me->cell_prev, n = me->cell_next;
    c->objects_count--;
    if (last == o) {
        c->objects_last = p;
        if (p >= 0) ob[p].cell_next = -1; else c->objects_first = -1;
    } else {
        if (n != last) {
            i32 q = ob[last].cell_prev;
            ob[q].cell_next = -1;
            c->objects_last = q;
            ob[last].cell_next = n;
            ob[n].cell_prev = last;
        }
        ob[last].cell_prev = p;
        if (p >= 0) ob[p].cell_next = last; else c->objects_first = last;
    }
    for (i32 k = me->first_child; k >= 0; k = ob[k].next_sibling) leave(ob, cells, k);
    me->cell_next = -1;
    me->cell = -1;
}

static void enter(Object *ob, Cell *cells, i32 o, i32 target) {
    Object *me = &ob[o];
    if (!me->has_part_array) return;
    Cell *c = &cells[target];
    i32 last = c->objects_last;
    me->cell_prev = last;
    me->cell_next = -1;
    if (last >= 0) ob[last].cell_next = o; else c->objects_first = o;
    c->objects_last = o;
    c->objects_count++;
    for (i32 k = me->first_child; k >= 0; k = ob[k].next_sibling) enter(ob, cells, k, target);
    me->objcell_id = c->id;
    if (!(me->state & EMITTER)) me->part_cell_id = c->id;
    me->cell = target;
}

void change_cells(i32 n, const i32 *roots, const i32 *targets, Object *ob, Cell *cells) {
    for (i32 i = 0; i < n; i++) {
        leave(ob, cells, roots[i]);
        enter(ob, cells, roots[i], targets[i]);
    }
}

static void combine(const float *a, const float *b, float s, float *out) {
    float w = a[3], x = a[4], y = a[5], z = a[6];
    float vx = s * b[0], vy = s * b[1], vz = s * b[2];
    float xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    float wx = w * x, wy = w * y, wz = w * z;
    float rx = (1 - 2 * (yy + zz)) * vx + 2 * (xy - wz) * vy + 2 * (xz + wy) * vz;
    float ry = 2 * (xy + wz) * vx + (1 - 2 * (xx + zz)) * vy + 2 * (yz - wx) * vz;
    float rz = 2 * (xz - wy) * vx + 2 * (yz + wx) * vy + (1 - 2 * (xx + yy)) * vz;
    float qw = w * b[3] - x * b[4] - y * b[5] - z * b[6];
    float qx = w * b[4] + x * b[3] + y * b[6] - z * b[5];
    float qy = w * b[5] + y * b[3] + z * b[4] - x * b[6];
    float qz = w * b[6] + z * b[3] + x * b[5] - y * b[4];
    float t = qw * qw + qx * qx + qy * qy + qz * qz;
    if (t > 0) {
        float k = 1 / sqrtf(t);
        qw *= k; qx *= k; qy *= k; qz *= k;
    }
    out[0] = rx + a[0]; out[1] = ry + a[1]; out[2] = rz + a[2];
    out[3] = qw; out[4] = qx; out[5] = qy; out[6] = qz;
}

static void compose(Object *ob, Part *parts, const float *poses, i32 o) {
    Object *me = &ob[o];
    float *f = me->frame;
    float l = sqrtf(f[3] * f[3] + f[4] * f[4] + f[5] * f[5] + f[6] * f[6]);
    if (!(fabsf(l - 1) <= 0.001f)) f[3] = f[4] = f[5] = f[6] = 0;
    if (!me->has_part_array) return;
    i32 count = me->part_count < me->pose_count ? me->part_count : me->pose_count;
    if (!(me->state & EMITTER) && me->pose_first >= 0)
        for (i32 k = 0; k < count; k++)
            combine(f, poses + 7 * (me->pose_first + k), me->scale, parts[me->part_first + k].frame);
    for (i32 k = me->first_child; k >= 0; k = ob[k].next_sibling) {
        i32 b = ob[k].hold_part;
        const float *base = b >= 0 && b < me->part_count ? parts[me->part_first + b].frame : f;
        combine(base, ob[k].hold_frame, 1, ob[k].frame);
        compose(ob, parts, poses, k);
    }
}

static void unshadow(Object *ob, Shadow *sh, Cell *cells, Entry *en, i32 *order, i32 *ranks,
                     i32 *places, i32 o) {
    Object *me = &ob[o];
    for (i32 k = 0; k < me->shadow_count; k++) {
        i32 s = me->shadow_first + k;
        if (sh[s].cell < 0) continue;
        Cell *c = &cells[sh[s].cell];
        i32 last = c->shadows_last, p = sh[s].prev, n = sh[s].next;
        c->shadows_count--;
        if (last == s) {
            c->shadows_last = p;
            if (p >= 0) sh[p].next = -1; else c->shadows_first = -1;
        } else {
            if (n != last) {
                i32 q = sh[last].prev;
                sh[q].next = -1;
                c->shadows_last = q;
                sh[last].next = n;
                sh[n].prev = last;
            }
            sh[last].prev = p;
            if (p >= 0) sh[p].next = last; else c->shadows_first = last;
        }
        sh[s].cell = -1;
        i32 *at = places + me->place_first + k * me->part_count;
        Entry *list = en + c->parts_first;
        i32 *ord = order + c->parts_first, *rank = ranks + c->parts_first;
        for (i32 i = 0; i < me->part_count; i++) {
            i32 place = at[i];
            if (place < 0) continue;
            at[i] = -1;
            i32 tail = --c->parts_count, hole = rank[place], moved = ord[tail];
            ord[hole] = moved;
            rank[moved] = hole;
            if (place != tail) {
                list[place] = list[tail];
                rank[place] = rank[tail];
                places[list[place].back] = place;
                ord[rank[place]] = place;
            }
        }
    }
    me->shadow_count = 0;
    for (i32 k = me->first_child; k >= 0; k = ob[k].next_sibling)
        unshadow(ob, sh, cells, en, order, ranks, places, k);
}

static void shadow(Object *ob, Shadow *sh, Cell *cells, Entry *en, i32 *order, i32 *ranks,
                   i32 *places, const Part *parts, i32 count, const u32 *ids, const i32 *slots, i32 o) {
    Object *me = &ob[o];
    i32 own = me->state & EMITTER ? me->cell : -1, here = own >= 0 ? 1 : count;
    if (here > me->shadow_room || here * me->part_count > me->place_room) return; // warmed: never
    me->shadow_count = here;
    for (i32 k = 0; k < here; k++) {
        i32 s = me->shadow_first + k, slot = own >= 0 ? own : slots[k];
        sh[s].object = o;
        sh[s].cell = slot;
        sh[s].cell_id = own >= 0 ? cells[own].id : ids[k];
        i32 *at = places + me->place_first + k * me->part_count;
        if (slot < 0) {
            sh[s].next = sh[s].prev = -1;
            for (i32 i = 0; i < me->part_count; i++) at[i] = -1;
            continue;
        }
        Cell *c = &cells[slot];
        i32 last = c->shadows_last;
        sh[s].prev = last;
        sh[s].next = -1;
        if (last >= 0) sh[last].next = s; else c->shadows_first = s;
        c->shadows_last = s;
        c->shadows_count++;
        if (!me->has_part_array) continue;
        int planes = here > 1 && c->kind == ENV;
        for (i32 i = 0; i < me->part_count; i++) {
            if (parts[me->part_first + i].gfx < 0) { at[i] = -1; continue; }
            i32 place = c->parts_count;
            if (place == c->parts_room) return; // warmed: never
            Entry *e = en + c->parts_first + place;
            e->object = o;
            e->part = me->part_first + i;
            e->back = (i32)(at + i - places);
            e->part_index = (uint16_t)i;
            e->planes = (uint8_t)planes;
            order[c->parts_first + place] = ranks[c->parts_first + place] = place;
            at[i] = place;
            c->parts_count = place + 1;
        }
    }
    for (i32 k = me->first_child; k >= 0; k = ob[k].next_sibling)
        shadow(ob, sh, cells, en, order, ranks, places, parts, count, ids, slots, k);
}

void republish(i32 n, const i32 *roots, const i32 *firsts, const i32 *counts, const u32 *ids,
               const i32 *slots, Object *ob, Shadow *sh, Cell *cells, Entry *en, i32 *order,
               i32 *ranks, i32 *places, const Part *parts) {
    for (i32 i = 0; i < n; i++) {
        unshadow(ob, sh, cells, en, order, ranks, places, roots[i]);
        shadow(ob, sh, cells, en, order, ranks, places, parts, counts[i], ids + firsts[i],
               slots + firsts[i], roots[i]);
    }
}

void set_frames(i32 n, const i32 *roots, const float *frames, Object *ob, Part *parts,
                const float *poses) {
    for (i32 i = 0; i < n; i++) {
        for (i32 k = 0; k < 7; k++) ob[roots[i]].frame[k] = frames[7 * i + k];
        compose(ob, parts, poses, roots[i]);
    }
}
