/* The yardstick of bench `dat`: the same look-up and parse over the same mapped file, in C.
 *
 * Directory nodes are followed through their chains of blocks and searched in place; the last node
 * of each level stays resolved. Land blocks are 252 bytes in one block. Everything is checked as
 * the Python side checks it, so that both do the same work. */
#include <stdint.h>
#include <string.h>

enum { DEPTH = 16, NODE_BLOCKS = 429, NODE_SIZE = 1716, ENTRIES = 61, RECORD = 252, FIRST = 400 };

static inline uint32_t word(const uint8_t *file, int64_t index)
{
    uint32_t value;
    memcpy(&value, file + 4 * index, 4);
    return value;
}

int64_t load_blocks(const uint8_t *file, int64_t file_size, int64_t block_size, int64_t root,
                    int64_t n, const uint32_t *ids, const float *table, uint8_t *state,
                    uint32_t *has_objects, uint16_t *terrain, float *z)
{
    const int64_t payload = block_size - 4, node_blocks = (NODE_SIZE + payload - 1) / payload;
    int64_t id_block[ENTRIES], id_word[ENTRIES], known[DEPTH], good = 0;
    static __thread int64_t blocks[DEPTH][NODE_BLOCKS];
    for (int m = 0; m < ENTRIES; m++) {
        int64_t place = 252 + 24 * m + 4;
        id_block[m] = place / payload;
        id_word[m] = place % payload / 4 + 1;
    }
    const int64_t count_block = 248 / payload, count_word = 248 % payload / 4 + 1;
    for (int d = 0; d < DEPTH; d++)
        known[d] = -1;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t want = ids[i];
        int64_t node = root;
        uint8_t result = 2;
        for (int d = 0; d < DEPTH; d++) {
            int64_t *b = blocks[d];
            if (known[d] != node) {
                known[d] = -1;
                int64_t at = node;
                int sound = 1;
                for (int64_t k = 0; k < node_blocks; k++) {
                    if (at < FIRST || at + block_size > file_size || (at & 3)) {
                        sound = 0;
                        break;
                    }
                    for (int64_t e = 0; e < k; e++)
                        sound &= b[e] != at >> 2;
                    if (!sound)
                        break;
                    b[k] = at >> 2;
                    at = word(file, at >> 2);
                }
                if (!sound || at >= 0x80000000LL)
                    break;
                known[d] = node;
            }
            const int64_t count = word(file, b[count_block] + count_word);
            if (count > ENTRIES)
                break;
            int64_t low = 0, high = count;
            while (low < high) {
                int64_t middle = (low + high) >> 1;
                if (word(file, b[id_block[middle]] + id_word[middle]) < want)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < count && word(file, b[id_block[low]] + id_word[low]) == want) {
                int64_t place = 252 + 24 * low;
                uint32_t head = word(file, b[place / payload] + place % payload / 4 + 1);
                place += 8;
                int64_t offset = word(file, b[place / payload] + place % payload / 4 + 1);
                place += 4;
                int64_t size = word(file, b[place / payload] + place % payload / 4 + 1);
                if ((head & 1) || size != RECORD || payload < RECORD)
                    break;
                if (offset < FIRST || offset + block_size > file_size || (offset & 3))
                    break;
                if ((word(file, offset >> 2) & 0x80000000u) || word(file, (offset >> 2) + 1) != want)
                    break;
                const uint8_t *record = file + offset + 4;
                has_objects[i] = word(file, (offset >> 2) + 2);
                memcpy(terrain + 81 * i, record + 8, 162);
                for (int j = 0; j < 81; j++)
                    z[81 * i + j] = table[record[170 + j]];
                result = 1;
                good++;
                break;
            }
            const int64_t leaf = word(file, b[0] + 1);
            if (leaf == 0 || leaf == 0xCDCDCDCDLL) {
                result = 0;
                break;
            }
            const int64_t place = 4 * low;
            node = word(file, b[place / payload] + place % payload / 4 + 1);
        }
        state[i] = result;
    }
    return good;
}
