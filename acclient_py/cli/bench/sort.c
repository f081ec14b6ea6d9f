/* The order of one cell's parts in C: the plain loop over last frame's order (L6), the yardstick. */
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

void sort_cells(const float *cypt, int32_t *order, const int32_t *first, int cells)
{
    for (int c = 0; c < cells; c++)
        one(cypt + first[c], order + first[c], first[c + 1] - first[c]);
}
