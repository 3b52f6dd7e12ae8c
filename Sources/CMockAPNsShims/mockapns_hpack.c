#include "mockapns_hpack.h"

#include <stdbool.h>
#include <string.h>

// The Huffman code of RFC 7541, appendix B. It is canonical: codes of one length follow each other in the order of
// their symbols, so that the lengths say everything. The last symbol ends a string and is never sent.
enum { SYMBOLS = 257, END_OF_STRING = 256, LONGEST = 30, WINDOW = 12 };

static const uint8_t code_lengths[SYMBOLS] = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 6,  10, 10, 12, 13, 6,  8,  11, 10, 10, 8,  11, 8,  6,  6,  6,  5,  5,  5,  6,  6,  6,  6,  6,
    6,  6,  7,  8,  15, 6,  12, 10, 13, 6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
    7,  7,  7,  7,  8,  7,  8,  13, 19, 13, 14, 6,  15, 5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,
    6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7,  15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
    23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
    23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19,
    22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
    27, 27, 27, 26, 30,
};

// What the next WINDOW bits are, by these bits: the first symbol, the second one, how many of them there are, and the
// length of their codes, in a byte each from the lowest. All are 0 if the first symbol is longer than the window.
// All digits of a device token have at most half as many bits.
static uint32_t windows[1 << WINDOW];
// For each length: its first code, how many there are, and where their symbols begin.
static uint32_t first_codes[LONGEST + 1];
static uint16_t counts[LONGEST + 1], starts[LONGEST + 1], symbols[SYMBOLS];

// Returns the symbol at the beginning of `bits`, which is aligned to the left, and sets its length.
static unsigned symbol_at(uint32_t bits, unsigned *length) {
    for (unsigned n = 5; n < LONGEST; n++) {
        uint32_t place = (bits >> (32 - n)) - first_codes[n];
        if (place < counts[n]) {
            *length = n;
            return symbols[starts[n] + place];
        }
    }
    *length = LONGEST;
    return symbols[starts[LONGEST] + ((bits >> (32 - LONGEST)) - first_codes[LONGEST])];
}

// Before `main`, because sessions of several threads read the tables without a lock.
__attribute__((constructor)) static void fill_tables(void) {
    uint32_t code = 0;
    uint16_t place = 0;
    for (unsigned length = 1; length <= LONGEST; length++) {
        code <<= 1;
        first_codes[length] = code;
        starts[length] = place;
        for (unsigned symbol = 0; symbol < SYMBOLS; symbol++) {
            if (code_lengths[symbol] != length) continue;
            symbols[place++] = (uint16_t)symbol;
            code++;
        }
        counts[length] = (uint16_t)(place - starts[length]);
    }
    for (uint32_t bits = 0; bits < 1 << WINDOW; bits++) {
        unsigned first, second;
        const unsigned symbol = symbol_at(bits << (32 - WINDOW), &first);
        if (first > WINDOW) continue;
        windows[bits] = symbol | 1u << 16 | first << 24;
        if (first == WINDOW) continue;
        const unsigned next = symbol_at(bits << (32 - WINDOW + first), &second);
        if (first + second <= WINDOW) windows[bits] = symbol | next << 8 | 2u << 16 | (first + second) << 24;
    }
}

// Bits of a string that are not decoded yet, aligned to the left; those after the first `count` may be set, and are the
// bits that follow.
struct bits {
    uint64_t value;
    unsigned count;
};

// Decodes the symbols of a window, of which `bits` has all; returns the number of symbols, 0 if they are too long.
static inline unsigned decode_window(struct bits *bits, uint8_t *target) {
    const uint32_t window = windows[bits->value >> (64 - WINDOW)];
    const unsigned length = window >> 24;
    const uint16_t two = (uint16_t)window;
    memcpy(target, &two, 2);
    bits->value <<= length;
    bits->count -= length;
    return (window >> 16) & 3;
}

// Decodes the next symbol if `bits` has all of it; returns false if not. What follows counts as padding, which is ones.
static bool decode_one(struct bits *bits, unsigned *symbol) {
    const uint64_t padded = bits->count >= 64 ? bits->value : bits->value | ~0ull >> bits->count;
    unsigned length;
    *symbol = symbol_at((uint32_t)(padded >> 32), &length);
    if (length > bits->count) return false;
    bits->value <<= length;
    bits->count -= length;
    return true;
}

// Decodes a string; returns its length, at most 8/5 of `length`, or -1 if it is not valid. Writes two bytes more at most.
static long decode(const uint8_t *source, size_t length, uint8_t *target) {
    const uint8_t *const end = source + length;
    uint8_t *next = target;
    struct bits bits = {0, 0};
    unsigned symbol;
    while (end - source >= 8) {
        uint64_t more;
        memcpy(&more, source, 8);
        bits.value |= __builtin_bswap64(more) >> bits.count;
        const unsigned taken = (63 - bits.count) >> 3;
        source += taken;
        bits.count += taken * 8;
        // There are at least 56 bits, which are four windows.
        next += decode_window(&bits, next);
        next += decode_window(&bits, next);
        next += decode_window(&bits, next);
        const unsigned symbols = decode_window(&bits, next);
        next += symbols;
        if (symbols > 0 || bits.count < LONGEST) continue;
        if (!decode_one(&bits, &symbol) || symbol == END_OF_STRING) return -1;
        *next++ = (uint8_t)symbol;
    }
    for (;;) {
        if (bits.count < 64) bits.value &= ~(~0ull >> bits.count);
        for (; bits.count <= 56 && source < end; bits.count += 8) {
            bits.value |= (uint64_t)*source++ << (56 - bits.count);
        }
        unsigned symbols = 1;
        while (bits.count >= WINDOW && symbols > 0) next += symbols = decode_window(&bits, next);
        if (source < end && bits.count < LONGEST) continue;
        if (bits.count == 0) break;
        if (!decode_one(&bits, &symbol)) {
            if (bits.count > 7 || (bits.value | ~0ull >> bits.count) != ~0ull) return -1;
            break;
        }
        if (symbol == END_OF_STRING) return -1;
        *next++ = (uint8_t)symbol;
    }
    return next - target;
}

// Reads an integer with a prefix of `bits` bits (RFC 7541, 5.1); returns false if it is not complete, or very large.
static bool read_integer(const uint8_t **position, const uint8_t *end, unsigned bits, size_t *value) {
    const uint8_t most = (uint8_t)((1u << bits) - 1);
    if (*position == end) return false;
    *value = *(*position)++ & most;
    if (*value < most) return true;
    for (unsigned shift = 0; shift <= 14 && *position < end; shift += 7) {
        const uint8_t byte = *(*position)++;
        *value += (size_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

// Reads the length of a string, and whether it is in Huffman code; returns false if it does not end in the block.
static bool read_string(const uint8_t **position, const uint8_t *end, bool *is_coded, size_t *length) {
    if (*position == end) return false;
    *is_coded = **position & 0x80;
    return read_integer(position, end, 7, length) && *length <= (size_t)(end - *position);
}

// Writes the length of a plain string before it, and moves it if needed: it lies at `target + 1`.
static size_t write_string(uint8_t *target, size_t length) {
    if (length < 127) {
        target[0] = (uint8_t)length;
        return 1 + length;
    }
    size_t rest = length - 127, prefix = 2;
    for (size_t more = rest; more >= 0x80; more >>= 7) prefix++;
    memmove(target + prefix, target + 1, length);
    target[0] = 0x7f;
    for (size_t i = 1; i < prefix; i++, rest >>= 7) target[i] = (uint8_t)((rest & 0x7f) | (i + 1 < prefix ? 0x80 : 0));
    return prefix + length;
}

// Decodes a string, or copies it if it was one of the last that were decoded.
//
// Some clients send the same provider token in every request, because their HPACK keeps it out of the table.
static long decode_again(const uint8_t *source, size_t length, uint8_t *target, struct mockapns_hpack_memory *memory) {
    if (length < MOCKAPNS_HPACK_LEAST_KEPT || length > MOCKAPNS_HPACK_MOST_KEPT) return decode(source, length, target);
    // The end of a token is its signature. The very last bits are padding.
    const size_t place = source[length - 2] % MOCKAPNS_HPACK_KEPT;
    if (memory->kept[place].coded_length == length && memcmp(memory->kept[place].coded, source, length) == 0) {
        memcpy(target, memory->kept[place].plain, memory->kept[place].plain_length);
        return memory->kept[place].plain_length;
    }
    const long decoded = decode(source, length, target);
    if (decoded < 0) return -1;
    memory->kept[place].coded_length = (uint16_t)length;
    memory->kept[place].plain_length = (uint16_t)decoded;
    memcpy(memory->kept[place].coded, source, length);
    memcpy(memory->kept[place].plain, target, (size_t)decoded);
    return decoded;
}

size_t mockapns_hpack_plain(const uint8_t *block, size_t length, uint8_t *target,
                            struct mockapns_hpack_memory *memory) {
    // Shorter values are not worth it.
    enum { LEAST = 16 };
    const uint8_t *const end = block + length, *position = block, *copied = block;
    uint8_t *next = target;
    while (position < end) {
        const uint8_t first = *position;
        size_t index, size;
        bool is_coded;
        if (first & 0x80 || (first & 0xe0) == 0x20) {  // an indexed field, or a new size of the table
            if (!read_integer(&position, end, first & 0x80 ? 7 : 5, &index)) return 0;
            continue;
        }
        if (!read_integer(&position, end, first & 0x40 ? 6 : 4, &index)) return 0;
        if (index == 0) {
            if (!read_string(&position, end, &is_coded, &size)) return 0;
            position += size;
        }
        const uint8_t *const value = position;
        if (!read_string(&position, end, &is_coded, &size)) return 0;
        if (is_coded && size >= LEAST) {
            const size_t before = (size_t)(value - copied), used = (size_t)(next - target);
            if (used + before + size * 8 / 5 + 8 > MOCKAPNS_HPACK_MOST) return 0;
            memcpy(next, copied, before);
            next += before;
            const long decoded = decode_again(position, size, next + 1, memory);
            if (decoded < 0) return 0;
            next += write_string(next, (size_t)decoded);
            copied = position + size;
        }
        position += size;
    }
    const size_t rest = (size_t)(end - copied);
    if (copied == block || (size_t)(next - target) + rest > MOCKAPNS_HPACK_MOST) return 0;
    memcpy(next, copied, rest);
    return (size_t)(next - target) + rest;
}
