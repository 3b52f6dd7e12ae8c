// Questions to name servers (RFC 1035), and the answers that are given in their place.
#ifndef MOCKAPNS_QUESTIONS_H
#define MOCKAPNS_QUESTIONS_H

#include "CMockAPNsIntercept.h"

/// Writes the answer "server failure" to a question, for which no name server can be reached.
///
/// Returns its size; 0 if it is not a question.
size_t mockapns_fail_question(const uint8_t *question, size_t size, uint8_t answer[MOCKAPNS_INTERCEPT_ANSWER_SIZE]);

#endif
