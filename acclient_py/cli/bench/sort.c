/* The order of one cell's parts in C (L6), over last frame's order. The yardstick is the plain loop,
   as it stands in the contract; beside it the form that carries the distances with the entries. */
#include <stdint.h>

static void one(const float *cypt, int32_t *order, int n)
{
    for (int i = n - 2; i >= 0; i--) {
        int32_t entry = order[i];
        float key = cypt[entry];
        int j = i;
        while (j + 1 < n && cypt[order[j + 1]] > key) {
            order[j] = order[j + 1];
            j++;
        }
        order[j] = entry;
    }
}

static void carrying(const float *restrict cypt, int32_t *restrict order, float *restrict key, int n)
{
    int moved = 0;
    for (int i = 0; i < n; i++)
        key[i] = cypt[order[i]];
    for (int i = 1; i < n; i++)
        moved |= key[i] > key[i - 1];
    if (!moved)
        return;
    for (int i = n - 2; i >= 0; i--) {
        int32_t entry = order[i];
        float k = key[i];
        int j = i;
        while (j + 1 < n && key[j + 1] > k) {
            key[j] = key[j + 1];
            order[j] = order[j + 1];
            j++;
        }
        key[j] = k;
        order[j] = entry;
    }
}

void sort_cells(const float *cypt, int32_t *order, const int32_t *first, int cells)
{
    for (int c = 0; c < cells; c++)
        one(cypt + first[c], order + first[c], first[c + 1] - first[c]);
}

void sort_cells_carrying(const float *cypt, int32_t *order, const int32_t *first, int cells,
                         float *key)
{
    for (int c = 0; c < cells; c++)
        carrying(cypt + first[c], order + first[c], key, first[c + 1] - first[c]);
}
