#include "mock_apns_libpq.h"

#include <dlfcn.h>
#include <pthread.h>

// Every function: its result, name, parameters and arguments.
#define FUNCTIONS(F) \
    F(PQconninfoOption *, PQconninfoParse, (const char *a, char **b), (a, b)) \
    F(PGconn *, PQconnectStartParams, (const char *const *a, const char *const *b, int c), (a, b, c)) \
    F(PostgresPollingStatusType, PQconnectPoll, (PGconn * a), (a)) \
    F(ConnStatusType, PQstatus, (const PGconn *a), (a)) \
    F(PGTransactionStatusType, PQtransactionStatus, (const PGconn *a), (a)) \
    F(int, PQsocket, (const PGconn *a), (a)) \
    F(char *, PQhost, (const PGconn *a), (a)) \
    F(char *, PQport, (const PGconn *a), (a)) \
    F(char *, PQerrorMessage, (const PGconn *a), (a)) \
    F(PGVerbosity, PQsetErrorVerbosity, (PGconn * a, PGVerbosity b), (a, b)) \
    F(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn * a, PQnoticeProcessor b, void *c), (a, b, c)) \
    F(int, PQsetnonblocking, (PGconn * a, int b), (a, b)) \
    F(int, PQenterPipelineMode, (PGconn * a), (a)) \
    F(int, PQpipelineSync, (PGconn * a), (a)) \
    F(int, PQflush, (PGconn * a), (a)) \
    F(int, PQexitPipelineMode, (PGconn * a), (a)) \
    F(int, PQsendQuery, (PGconn * a, const char *b), (a, b)) \
    F(int, PQputCopyData, (PGconn * a, const char *b, int c), (a, b, c)) \
    F(int, PQputCopyEnd, (PGconn * a, const char *b), (a, b)) \
    F(int, PQisBusy, (PGconn * a), (a)) \
    F(int, PQconsumeInput, (PGconn * a), (a)) \
    F(int, PQsendPrepare, (PGconn * a, const char *b, const char *c, int d, const Oid *e), (a, b, c, d, e)) \
    F(int, \
      PQsendQueryPrepared, \
      (PGconn * a, const char *b, int c, const char *const *d, const int *e, const int *f, int g), \
      (a, b, c, d, e, f, g)) \
    F(PGresult *, PQgetResult, (PGconn * a), (a)) \
    F(ExecStatusType, PQresultStatus, (const PGresult *a), (a)) \
    F(char *, PQresultErrorField, (const PGresult *a, int b), (a, b)) \
    F(int, PQntuples, (const PGresult *a), (a)) \
    F(char *, PQcmdTuples, (PGresult * a), (a)) \
    F(int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c)) \
    F(int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c)) \
    F(char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c)) \
    F(void, PQconninfoFree, (PQconninfoOption * a), (a)) \
    F(void, PQfinish, (PGconn * a), (a)) \
    F(void, PQclear, (PGresult * a), (a))

#define POINTER(result, name, parameters, arguments) static result(*loaded_##name) parameters;
FUNCTIONS(POINTER)

#define FORWARD(result, name, parameters, arguments) \
    result name parameters { return loaded_##name arguments; }
FUNCTIONS(FORWARD)

static int is_loaded;

static void load(void) {
    // Debian's name, then Homebrew's places for Macs with Apple's and with Intel's processors.
    static const char *const names[] = {
        "libpq.so.5", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib"};
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) return;
    int has_all = 1;
#define FIND(result, name, parameters, arguments) \
    loaded_##name = (result(*) parameters)dlsym(library, #name); \
    has_all = has_all && loaded_##name != NULL;
    FUNCTIONS(FIND)
    is_loaded = has_all;
}

int mock_apns_load_libpq(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
