#include "questions.h"

#include <string.h>
#include <strings.h>

enum { HEADER_SIZE = 12, LONGEST_NAME = 255, LONGEST_LABEL = 63 };
enum { TYPE_A = 1, TYPE_ANY = 255, CLASS_INTERNET = 1 };
enum code { NO_ERROR = 0, SERVER_FAILURE = 2, NO_SUCH_NAME = 3 };

/// Seconds for which a resolver may keep an address: a daemon of the command outlives the server.
enum { LIFETIME = 5 };

static unsigned number(const uint8_t *place) { return (unsigned)place[0] << 8 | place[1]; }

static void put_number(uint8_t *place, unsigned value) {
    place[0] = (uint8_t)(value >> 8);
    place[1] = (uint8_t)value;
}

/// The end of the only question in a packet; 0 if it is anything else. The name follows the header, without compression.
static size_t question_end(const uint8_t *packet, size_t size) {
    // It is no answer, asks in the usual way, and has one question.
    if (size < HEADER_SIZE || (packet[2] & 0xf8) != 0 || number(packet + 4) != 1) return 0;
    size_t place = HEADER_SIZE;
    while (place < size && packet[place] != 0) {
        if (packet[place] > LONGEST_LABEL) return 0;
        place += 1 + (size_t)packet[place];
    }
    place += 1;
    return place - HEADER_SIZE <= LONGEST_NAME && place + 4 <= size ? place + 4 : 0;
}

enum match { ANOTHER, SAME, WITH_SUFFIX };

/// Compares a valid name in a packet with a host.
static enum match compare(const uint8_t *name, const char *host) {
    while (*host) {
        size_t length = strcspn(host, ".");
        if (*name != length || strncasecmp((const char *)name + 1, host, length) != 0) return ANOTHER;
        name += 1 + length;
        host += length + (host[length] == '.');
    }
    return *name == 0 ? SAME : WITH_SUFFIX;
}

/// Writes the header and the question of an answer.
static size_t begin(const uint8_t *question, size_t end, enum code code, uint8_t *answer) {
    memcpy(answer, question, end);
    // An answer, whose server would ask others if the question says so.
    answer[2] = 0x80 | (question[2] & 0x01);
    answer[3] = 0x80 | (uint8_t)code;
    memset(answer + 6, 0, HEADER_SIZE - 6);
    return end;
}

size_t mockapns_intercept_answer_question(
    const struct mockapns_intercept_name *names, size_t count, const uint8_t *question, size_t size,
    uint8_t answer[MOCKAPNS_INTERCEPT_ANSWER_SIZE]
) {
    size_t end = question_end(question, size);
    if (end == 0 || number(question + end - 2) != CLASS_INTERNET) return 0;
    unsigned type = number(question + end - 4);
    bool has_suffix = false;
    for (size_t index = 0; index < count; index++) {
        enum match match = compare(question + HEADER_SIZE, names[index].name);
        has_suffix |= match == WITH_SUFFIX;
        if (match != SAME) continue;
        size_t length = begin(question, end, NO_ERROR, answer);
        if (type != TYPE_A && type != TYPE_ANY) return length;
        put_number(answer + 6, 1);
        uint8_t *record = answer + length;
        put_number(record, 0xc000 | HEADER_SIZE); // the name in the question
        put_number(record + 2, TYPE_A);
        put_number(record + 4, CLASS_INTERNET);
        put_number(record + 6, 0);
        put_number(record + 8, LIFETIME);
        put_number(record + 10, 4);
        put_number(record + 12, names[index].address >> 16);
        put_number(record + 14, names[index].address & 0xffff);
        return length + 16;
    }
    // A search list makes such names of a host: there are none, so that the next one is tried at once.
    return has_suffix ? begin(question, end, NO_SUCH_NAME, answer) : 0;
}

size_t mockapns_fail_question(const uint8_t *question, size_t size, uint8_t answer[MOCKAPNS_INTERCEPT_ANSWER_SIZE]) {
    size_t end = question_end(question, size);
    return end == 0 ? 0 : begin(question, end, SERVER_FAILURE, answer);
}
