// The yardstick of `transition`: one step over open ground among objects that are not met, on the
// rows of physics/path.py and physics/layout.py, as a C programmer would write it. It answers -1
// where the step meets anything but ground: water, a building, an object, a second block of steps.
#include "membership.c"
#include "made.h" // Path, Body

typedef struct {
    Object *objects; Body *bodies; Shadow *shadows; Part *parts; Shape *shapes; Gfx *gfx;
    float (*spheres)[4], (*cylinders)[5];
    uint8_t (*swne)[64]; float (*ground)[64][2][4]; uint8_t (*water)[64];
    const Graph *g; u32 *ids; i32 *slots; i64 *head;
} World;

enum {
    ETHEREAL = 4, IGNORES = 0x10, MISSILE = 0x40, GRAVITY = 0x400, EDGE = 0x400000,
    T_CONTACT = 1, T_WALKABLE = 2, T_SLIDING = 4, T_FALL = 0x10, T_STOP = 0x20, T_STUCK = 0x40,
    CONTACT = 1, ON_WALKABLE = 2, FREE_ROTATE = 0x10, CLIPPED = 8, PLAYER_FLAG = 2,
};
static const double E = 0.0002, FLOOR = 0.6641741461866276;

i32 sizes_path(i32 which) { return which == 0 ? sizeof(Path) : sizeof(Body); }

static double st(double x) { return (double)(float)x; }
static double bdx(i64 a, i64 b) { return (double)(((b >> 24) & 255) - ((a >> 24) & 255)) * 192.0; }
static double bdy(i64 a, i64 b) { return (double)(((b >> 16) & 255) - ((a >> 16) & 255)) * 192.0; }

static void rot(const double *f, double x, double y, double z, double *o) {
    double tx = 2.0 * (f[5] * z - f[6] * y), ty = 2.0 * (f[6] * x - f[4] * z);
    double tz = 2.0 * (f[4] * y - f[5] * x);
    o[0] = x + f[3] * tx + f[5] * tz - f[6] * ty;
    o[1] = y + f[3] * ty + f[6] * tx - f[4] * tz;
    o[2] = z + f[3] * tz + f[4] * ty - f[5] * tx;
}

static void cache_curr(Path *t) {
    for (i64 i = 0; i < t->num_sphere; i++) {
        double o[3];
        rot(t->curr, t->local[i][0], t->local[i][1], t->local[i][2], o);
        for (int k = 0; k < 3; k++) t->curr_center[i][k] = st(o[k] + t->curr[k]);
    }
}

static void cache_globe(Path *t) {
    double o[3];
    for (i64 i = 0; i < t->num_sphere; i++) {
        rot(t->check, t->local[i][0], t->local[i][1], t->local[i][2], o);
        for (int k = 0; k < 3; k++) t->globe[i][k] = st(o[k] + t->check[k]);
        t->globe[i][3] = t->local[i][3];
    }
    rot(t->check, t->local_low[0], t->local_low[1], t->local_low[2], o);
    for (int k = 0; k < 3; k++) t->low[k] = st(o[k] + t->check[k]);
}

static void add_offset(Path *t, double x, double y, double z) {
    double o[3] = {st(x), st(y), st(z)};
    for (int k = 0; k < 3; k++) {
        t->check[k] = st(t->check[k] + o[k]);
        for (i64 i = 0; i < t->num_sphere; i++) t->globe[i][k] = st(t->globe[i][k] + o[k]);
        t->low[k] = st(t->low[k] + o[k]);
    }
}

static void init_object(Path *t, const World *w, i64 obj) {
    const Object *row = &w->objects[obj];
    const Body *body = &w->bodies[obj];
    t->target = -1; t->may_step_down = 1; t->placement_allows_sliding = 1; t->walk_interp = 1.0;
    t->walkable = -1; t->insert_type = 0;
    t->step_down = t->step_up = t->collide = t->check_walkable = t->bldg_check = 0;
    t->obstruction_ethereal = t->hits_interior_cell = t->neg_poly_hit = t->neg_step_up = 0;
    t->walkable_allowance = 0.0;
    t->contact_valid = t->contact_water = t->contact_cell_id = 0;
    t->last_valid = t->last_water = t->last_cell_id = 0;
    memset(t->last, 0, sizeof t->last);
    t->sliding_valid = t->normal_valid = t->hit_environment = t->stationary = 0;
    t->killed_velocity = t->touched_count = 0;
    i64 physics = row->state, transient = row->transient, state = physics & EDGE ? 0x200 : 0;
    if (transient & T_CONTACT) {
        const double *v = body->velocity, *p = body->contact;
        memcpy(t->last, p, 32);
        t->last_valid = 1; t->last_water = body->contact_water;
        t->last_cell_id = body->contact_cell_id;
        if (v[0] * p[0] + v[1] * p[1] + v[2] * p[2] <= E) {
            memcpy(t->contact, p, 32);
            t->contact_valid = 1; t->contact_water = body->contact_water;
            t->contact_cell_id = body->contact_cell_id;
            state |= CONTACT | (transient & T_WALKABLE ? ON_WALKABLE : 0);
        }
    }
    if (physics & MISSILE) { state |= CLIPPED; t->may_step_down = 0; }
    i64 weenie = body->weenie;
    state |= (weenie & 4 ? 0x80 : 0) | (weenie & 2 ? 0x100 : 0) | (weenie & 8 ? 0x800 : 0)
           | (weenie & 16 ? 0x1000 : 0);
    t->object = obj; t->physics_state = physics; t->ethereal = physics & ETHEREAL;
    t->stationary = transient & T_STUCK ? 3 : transient & T_STOP ? 2 : transient & T_FALL ? 1 : 0;
    const Shape *shape = &w->shapes[row->shape];
    double scale = row->scale;
    if (shape->flags & 4) state |= FREE_ROTATE;
    t->step_up_height = (double)shape->step_up * scale;
    t->step_down_height = (double)shape->step_down * scale;
    t->num_sphere = shape->sphere_count < 2 ? shape->sphere_count : 2;
    for (i64 i = 0; i < t->num_sphere; i++)
        for (int k = 0; k < 4; k++)
            t->local[i][k] = (double)w->spheres[shape->sphere_first + i][k] * scale;
    t->state = state;
    for (int k = 0; k < 2; k++) t->local_low[k] = t->local[0][k];
    t->local_low[2] = t->local[0][2] - t->local[0][3];
}

static int outside_edge(float nx, float ny, float x, float y, float px, float py) {
    float a = ny - y, b = x - nx;
    return -(a * x) - b * y + b * py + a * px > 0.0f;
}

static int triangle_of(int swne, int cell, float x, float y) {
    float x0 = (float)(cell >> 3) * 24.0f, y0 = (float)(cell & 7) * 24.0f;
    float x1 = x0 + 24.0f, y1 = y0 + 24.0f;
    if (swne) {
        if (!(outside_edge(x0, y0, x1, y1, x, y) || outside_edge(x1, y1, x1, y0, x, y)
              || outside_edge(x1, y0, x0, y0, x, y))) return 0;
        return outside_edge(x0, y0, x0, y1, x, y) || outside_edge(x0, y1, x1, y1, x, y)
            || outside_edge(x1, y1, x0, y0, x, y) ? -1 : 1;
    }
    if (!(outside_edge(x0, y0, x0, y1, x, y) || outside_edge(x0, y1, x1, y0, x, y)
          || outside_edge(x1, y0, x0, y0, x, y))) return 0;
    return outside_edge(x1, y1, x1, y0, x, y) || outside_edge(x1, y0, x0, y1, x, y)
        || outside_edge(x0, y1, x1, y1, x, y) ? -1 : 1;
}

static int ground(Path *t, const World *w, const Cell *c) {
    i64 id = c->id;
    int index = (int)(id & 0xFFFF) - 1;
    double ox = bdx(t->check_id, id), oy = bdy(t->check_id, id);
    int tri = triangle_of(w->swne[c->block][index], index, (float)(t->low[0] - ox),
                          (float)(t->low[1] - oy));
    if (tri < 0) return 1;
    if (w->water[c->block][index] || w->g->blocks[c->block].water == 2) return -1;
    const float *p = w->ground[c->block][index][tri];
    double x = t->globe[0][0] - ox, y = t->globe[0][1] - oy, z = t->globe[0][2];
    double nx = p[0], ny = p[1], nz = p[2], d = p[3];
    double h = x * nx + y * ny + (z - t->globe[0][3]) * nz + d + 0.0;
    if (h > E) return 1;
    if (h < -E) return -1;
    if (!(t->state & ON_WALKABLE) || nz >= FLOOR) {
        double plane[4] = {nx, ny, nz, d};
        t->contact_valid = 1;
        memcpy(t->contact, plane, 32);
        t->contact_water = 0; t->contact_cell_id = id;
    }
    return t->state & CONTACT ? 1 : -1;
}

static int meets(const Path *t, double x, double y, double z, double r, double height) {
    for (i64 i = 0; i < t->num_sphere; i++) {
        double reach = r + t->globe[0][3] - E;
        double dx = t->globe[i][0] - x, dy = t->globe[i][1] - y, dz = t->globe[i][2] - z;
        if (height < 0.0) {
            if (dx * dx + dy * dy + dz * dz <= reach * reach) return 1;
        } else if (dx * dx + dy * dy <= reach * reach
                   && fabs(0.5 * height - dz) <= t->globe[i][3] - E + 0.5 * height) return 1;
    }
    return 0;
}

static int object(const Path *t, const World *w, i32 obj) {
    const Object *row = &w->objects[obj];
    i64 state = row->state;
    if (row->parent >= 0 || obj == t->object) return 1;
    if (state & ETHEREAL && state & IGNORES) return 1;
    if (!row->has_part_array) return 1;
    if (w->bodies[obj].weenie & PLAYER_FLAG && t->state & 0x100) return -1;
    if (state & MISSILE || t->physics_state & MISSILE) return -1;
    double frame[7];
    if (state & BSP) {
        for (int n = row->part_first; n < row->part_first + row->part_count; n++) {
            const Part *part = &w->parts[n];
            if (part->gfx < 0 || w->gfx[part->gfx].bsp < 0) continue;
            const float *s = w->gfx[part->gfx].physics;
            double scale = part->scale[2], o[3];
            for (int k = 0; k < 7; k++) frame[k] = part->frame[k];
            rot(frame, s[0] * scale, s[1] * scale, s[2] * scale, o);
            o[0] += frame[0] + bdx(t->check_id, row->part_cell_id);
            o[1] += frame[1] + bdy(t->check_id, row->part_cell_id);
            o[2] += frame[2];
            for (i64 i = 0; i < t->num_sphere; i++) {
                double dx = o[0] - t->globe[i][0], dy = o[1] - t->globe[i][1];
                double dz = o[2] - t->globe[i][2], reach = s[3] * scale + t->globe[i][3];
                if (dx * dx + dy * dy + dz * dz - reach * reach < E * scale * scale) return -1;
            }
        }
        return 1;
    }
    if (row->shape < 0) return 1;
    const Shape *shape = &w->shapes[row->shape];
    double scale = row->scale;
    for (int k = 0; k < 7; k++) frame[k] = row->frame[k];
    double ox = frame[0] + bdx(t->check_id, row->objcell_id);
    double oy = frame[1] + bdy(t->check_id, row->objcell_id);
    for (int n = 0; n < shape->cylinder_count; n++) {
        const float *c = w->cylinders[shape->cylinder_first + n];
        double o[3];
        rot(frame, c[0] * scale, c[1] * scale, c[2] * scale, o);
        if (meets(t, o[0] + ox, o[1] + oy, o[2] + frame[2], c[3] * scale, c[4] * scale)) return -1;
    }
    for (int n = 0; shape->cylinder_count == 0 && n < shape->sphere_count; n++) {
        const float *c = w->spheres[shape->sphere_first + n];
        double o[3];
        rot(frame, c[0] * scale, c[1] * scale, c[2] * scale, o);
        if (meets(t, o[0] + ox, o[1] + oy, o[2] + frame[2], c[3] * scale, -1.0)) return -1;
    }
    return 1;
}

static int collisions(Path *t, const World *w, i32 slot) {
    const Cell *c = &w->g->cells[slot];
    if (c->kind != LAND_CELL || c->building >= 0) return -1;
    int result = ground(t, w, c);
    if (result != 1) return result;
    for (i32 s = c->shadows_first; s >= 0; s = w->shadows[s].next)
        if ((result = object(t, w, w->shadows[s].object)) != 1) return result;
    return 1;
}

static void add_cell(const World *w, i64 x, i64 y) {
    if (x < 0 || y < 0 || x >= 2040 || y >= 2040) return;
    u32 id = (u32)((((y >> 3) | ((x >> 3) << 8)) << 16) | ((x & 7) * 8 + (y & 7) + 1));
    i64 n = w->head[0];
    for (i64 i = 0; i < n; i++) if (w->ids[i] == id) return;
    w->ids[n] = id;
    w->slots[n] = slot_of(w->g, id);
    w->head[0] = n + 1;
}

static i32 cell_array(Path *t, const World *w) {
    w->head[0] = w->head[3] = w->head[4] = w->head[5] = 0;
    w->head[1] = 1;
    for (i64 i = 0; i < t->num_sphere; i++) {
        float x = (float)t->globe[i][0], y = (float)t->globe[i][1], r = (float)t->globe[i][3];
        if (fabsf(x) < 0.0002f) x = 0.0f;
        if (fabsf(y) < 0.0002f) y = 0.0f;
        i64 cx = ((t->check_id >> 24) & 255) * 8 + (i64)floorf(x / 24.0f);
        i64 cy = ((t->check_id >> 16) & 255) * 8 + (i64)floorf(y / 24.0f);
        if (cx < 0 || cy < 0 || cx >= 2040 || cy >= 2040) break;
        x -= floorf(x / 192.0f) * 192.0f;
        y -= floorf(y / 192.0f) * 192.0f;
        float fx = x - floorf(x / 24.0f) * 24.0f, fy = y - floorf(y / 24.0f) * 24.0f, hi = 24.0f - r;
        add_cell(w, cx, cy);
        if (fx > hi) {
            add_cell(w, cx + 1, cy);
            if (fy > hi) add_cell(w, cx + 1, cy + 1);
            if (fy < r) add_cell(w, cx + 1, cy - 1);
        }
        if (fx < r) {
            add_cell(w, cx - 1, cy);
            if (fy > hi) add_cell(w, cx - 1, cy + 1);
            if (fy < r) add_cell(w, cx - 1, cy - 1);
        }
        if (fy > hi) add_cell(w, cx, cy + 1);
        if (fy < r) add_cell(w, cx, cy - 1);
    }
    i32 found = -1;
    for (i64 i = 0; i < w->head[0]; i++) {
        if (w->slots[i] < 0) continue;
        const Cell *c = &w->g->cells[w->slots[i]];
        int index = (int)(c->id & 0xFFFF) - 1;
        float x = (float)t->globe[0][0] - (float)bdx(t->check_id, c->id);
        float y = (float)t->globe[0][1] - (float)bdy(t->check_id, c->id);
        if (triangle_of(w->swne[c->block][index], index, x, y) >= 0) found = w->slots[i];
    }
    w->head[6] = found;
    t->hits_interior_cell = 0;
    return found;
}

static int step(Path *t, const World *w, double *o) {
    const double *p = t->contact;
    if (!t->contact_valid) return -1;
    double d = o[0] * p[0] + o[1] * p[1] + o[2] * p[2];
    if (d <= 0.0) for (int k = 0; k < 3; k++) o[k] -= d * p[k];
    else if (fabs(p[2]) > E) o[2] = -(o[0] * p[0] + o[1] * p[1]) / p[2];
    if (!t->contact_water && t->contact_cell_id) {
        double x = t->globe[0][0] - bdx(t->check_id, t->contact_cell_id);
        double y = t->globe[0][1] - bdy(t->check_id, t->contact_cell_id);
        double h = x * p[0] + y * p[1] + t->globe[0][2] * p[2] + p[3], r = t->globe[0][3];
        if (h < r - E && p[2] != 0.0) {
            double dz = (r - h) / p[2];
            if (fabs(dz) < r) add_offset(t, 0.0, 0.0, dz);
        }
    }
    double g[3] = {o[0], o[1], o[2]};
    if (g[0] * g[0] + g[1] * g[1] + g[2] * g[2] < E * E) return -1;
    t->sliding_valid = 0;
    t->contact_valid = t->contact_water = 0;
    add_offset(t, g[0], g[1], g[2]);
    i32 cell = (i32)t->check_cell;
    int result = collisions(t, w, cell);
    if (result != 1) return result;
    i32 now = cell_array(t, w);
    for (i64 i = 0; i < w->head[0]; i++) {
        if (w->slots[i] < 0 || w->slots[i] == cell) continue;
        if ((result = collisions(t, w, w->slots[i])) != 1) return result;
    }
    if (now < 0 || !t->contact_valid) return -1;
    t->check_cell = now;
    u32 id = w->g->cells[now].id;
    add_offset(t, bdx(id, t->check_id), bdy(id, t->check_id), 0.0);
    t->check_id = id;
    t->curr_cell = now; t->curr_id = id;
    memcpy(t->curr, t->check, 56);
    cache_curr(t);
    cache_globe(t);
    if (t->physics_state & GRAVITY) t->stationary = 0;
    t->last_valid = 1;
    memcpy(t->last, t->contact, 32);
    t->last_water = t->contact_water; t->last_cell_id = t->contact_cell_id;
    t->state |= CONTACT;
    if (t->contact[2] >= FLOOR) t->state |= ON_WALKABLE; else t->state &= ~ON_WALKABLE;
    return 1;
}

i64 many(Path *t, const World *w, i64 obj, i64 cell, i64 id, const double *a, const double *b, i64 n) {
    i64 good = 0;
    for (i64 i = 0; i < n; i++) {
        init_object(t, w, obj);
        t->begin_cell = t->curr_cell = cell;
        t->has_begin = 1;
        t->begin_id = t->end_id = t->curr_id = id;
        memcpy(t->begin, a, 56); memcpy(t->end, b, 56); memcpy(t->curr, a, 56);
        cache_curr(t);
        double *o = t->vector, length = 0.0;
        double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        for (int k = 0; k < 3; k++) length += way[k] * way[k];
        length = sqrt(length);
        if (length == 0.0 || length > t->local[0][3] || memcmp(a + 3, b + 3, 32)) return -1;
        if (t->state & FREE_ROTATE) cache_curr(t);
        t->check_cell = cell; t->check_id = id;
        memcpy(t->check, t->curr, 56);
        cache_globe(t);
        for (int k = 0; k < 3; k++) o[k] = way[k] * 1.0;
        int result = step(t, w, o);
        if (result < 0) return -1;
        good += result == 1;
    }
    return good;
}
