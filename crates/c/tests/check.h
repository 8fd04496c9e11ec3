/* Checks of the tests, which end the program at the first one that fails. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition);      \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* Compares a result with the expected one. */
#define RETURNS(expected, call)                                                           \
    do {                                                                                  \
        moissanite_status status_ = (call);                                               \
        if (status_ != (expected)) {                                                      \
            fprintf(stderr, "%s:%d: %s: %s, in place of %s\n", __FILE__, __LINE__, #call, \
                    moissanite_error_message(status_),                                    \
                    moissanite_error_message(expected));                                  \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

#define OK(call) RETURNS(MOISSANITE_OK, call)

#endif
