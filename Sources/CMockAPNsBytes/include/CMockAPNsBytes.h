// Operations on 16 bytes at a time, for what happens to every push: Swift's SIMD types are compiled to one
// instruction per byte. The functions are inline, and portable: clang has vectors for every processor.
#ifndef CMOCKAPNSBYTES_H
#define CMOCKAPNSBYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the functions for hexadecimal digits assume little-endian numbers"
#endif

typedef uint8_t mockapns_block __attribute__((vector_size(16)));
typedef uint16_t mockapns_pairs __attribute__((vector_size(16)));
typedef uint8_t mockapns_half_block __attribute__((vector_size(8)));

/// Returns whether every byte is at least `lowest`, which is at most 0x80, and none is DEL.
static inline bool mockapns_is_printable(const uint8_t *bytes, size_t count, uint8_t lowest) {
    mockapns_block found = {0};
    uint64_t halves[2] = {0};
    mockapns_block last;
    if (count >= 16) {
        for (size_t offset = 0; offset + 16 <= count; offset += 16) {
            mockapns_block next;
            memcpy(&next, bytes + offset, 16);
            found |= (mockapns_block)(next < lowest) | (mockapns_block)(next == 0x7f);
        }
        // The last blocks may overlap.
        memcpy(&last, bytes + count - 16, 16);
    } else if (count >= 8) {
        memcpy(&halves[0], bytes, 8);
        memcpy(&halves[1], bytes + count - 8, 8);
        memcpy(&last, halves, 16);
    } else if (count >= 4) {
        uint32_t quarters[2];
        memcpy(&quarters[0], bytes, 4);
        memcpy(&quarters[1], bytes + count - 4, 4);
        memcpy(&halves[0], quarters, 8);
        halves[1] = halves[0];
        memcpy(&last, halves, 16);
    } else {
        for (size_t offset = 0; offset < count; offset++) {
            if (bytes[offset] < lowest || bytes[offset] == 0x7f) return false;
        }
        return true;
    }
    found |= (mockapns_block)(last < lowest) | (mockapns_block)(last == 0x7f);
    memcpy(halves, &found, 16);
    return (halves[0] | halves[1]) == 0;
}

/// Four numbers of 16 hexadecimal digits each.
struct mockapns_hex_numbers {
    uint64_t first, second, third, fourth;
    /// Whether all 64 characters were digits; otherwise the numbers mean nothing.
    bool is_valid;
};

/// Reads 16 hexadecimal digits in either case; sets bits of `invalid` for other characters.
static inline uint64_t mockapns_hex_number(const uint8_t *digits, mockapns_block *invalid) {
    mockapns_block text;
    memcpy(&text, digits, 16);
    mockapns_block number = text - '0', letter = (text | 0x20) - 'a';
    mockapns_block is_number = (mockapns_block)(number < 10), is_letter = (mockapns_block)(letter < 6);
    *invalid |= ~(is_number | is_letter);
    mockapns_pairs pairs = (mockapns_pairs)((number & is_number) | ((letter + 10) & is_letter));
    pairs = ((pairs << 4) | (pairs >> 8)) & 0xff;
    mockapns_half_block bytes = __builtin_convertvector(pairs, mockapns_half_block);
    uint64_t value;
    memcpy(&value, &bytes, 8);
    return __builtin_bswap64(value);
}

/// Reads 64 hexadecimal digits.
static inline struct mockapns_hex_numbers mockapns_hex_read(const uint8_t *digits) {
    mockapns_block invalid = {0};
    struct mockapns_hex_numbers numbers = {
        mockapns_hex_number(digits, &invalid), mockapns_hex_number(digits + 16, &invalid),
        mockapns_hex_number(digits + 32, &invalid), mockapns_hex_number(digits + 48, &invalid), false,
    };
    uint64_t halves[2];
    memcpy(halves, &invalid, 16);
    numbers.is_valid = (halves[0] | halves[1]) == 0;
    return numbers;
}

/// Writes a number as 16 hexadecimal digits.
static inline void mockapns_hex_write(uint64_t number, bool is_upper_case, uint8_t *target) {
    uint64_t swapped = __builtin_bswap64(number);
    mockapns_half_block bytes;
    memcpy(&bytes, &swapped, 8);
    mockapns_pairs pairs = __builtin_convertvector(bytes, mockapns_pairs);
    mockapns_block values = (mockapns_block)((pairs >> 4) | ((pairs & 0xf) << 8));
    uint8_t letters = is_upper_case ? 'A' - '0' - 10 : 'a' - '0' - 10;
    mockapns_block digits = values + '0' + ((mockapns_block)(values > 9) & letters);
    memcpy(target, &digits, 16);
}

/// Writes 128 bits as a UUID, 8-4-4-4-12 digits: 36 bytes.
static inline void mockapns_uuid_write(uint64_t high, uint64_t low, bool is_upper_case, uint8_t *target) {
    uint8_t digits[32];
    mockapns_hex_write(high, is_upper_case, digits);
    mockapns_hex_write(low, is_upper_case, digits + 16);
    memcpy(target, digits, 8);
    memcpy(target + 9, digits + 8, 4);
    memcpy(target + 14, digits + 12, 4);
    memcpy(target + 19, digits + 16, 4);
    memcpy(target + 24, digits + 20, 12);
    target[8] = target[13] = target[18] = target[23] = '-';
}

#endif
