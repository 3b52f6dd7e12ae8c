// The part of libpq, PostgreSQL's client library, that mock-apns uses, loaded when it is first needed: a server without a
// database neither needs libpq nor the twenty libraries that it brings.
//
// The declarations are those of libpq-fe.h of PostgreSQL 14 and later, whose binary interface (libpq.so.5) is stable:
// https://www.postgresql.org/docs/current/libpq.html

#pragma once

#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum { PGRES_POLLING_FAILED, PGRES_POLLING_READING, PGRES_POLLING_WRITING, PGRES_POLLING_OK } PostgresPollingStatusType;
typedef enum {
    PGRES_EMPTY_QUERY,
    PGRES_COMMAND_OK,
    PGRES_TUPLES_OK,
    PGRES_COPY_IN = 4,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11
} ExecStatusType;
typedef enum { PQTRANS_IDLE, PQTRANS_ACTIVE, PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_UNKNOWN } PGTransactionStatusType;
typedef enum { PQERRORS_TERSE, PQERRORS_DEFAULT, PQERRORS_VERBOSE } PGVerbosity;

typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

typedef void (*PQnoticeProcessor)(void *arg, const char *message);

/// Loads libpq, once, and returns whether it is there; nothing else may be called before.
int mock_apns_load_libpq(void);

PQconninfoOption *PQconninfoParse(const char *conninfo, char **errmsg);
void PQconninfoFree(PQconninfoOption *options);
PGconn *PQconnectStartParams(const char *const *keywords, const char *const *values, int expand_dbname);
PostgresPollingStatusType PQconnectPoll(PGconn *conn);
ConnStatusType PQstatus(const PGconn *conn);
PGTransactionStatusType PQtransactionStatus(const PGconn *conn);
void PQfinish(PGconn *conn);
int PQsocket(const PGconn *conn);
char *PQhost(const PGconn *conn);
char *PQport(const PGconn *conn);
char *PQerrorMessage(const PGconn *conn);
PGVerbosity PQsetErrorVerbosity(PGconn *conn, PGVerbosity verbosity);
PQnoticeProcessor PQsetNoticeProcessor(PGconn *conn, PQnoticeProcessor proc, void *arg);
int PQsetnonblocking(PGconn *conn, int arg);
int PQenterPipelineMode(PGconn *conn);
int PQexitPipelineMode(PGconn *conn);
int PQpipelineSync(PGconn *conn);
int PQflush(PGconn *conn);
int PQisBusy(PGconn *conn);
int PQconsumeInput(PGconn *conn);
int PQsendPrepare(PGconn *conn, const char *name, const char *query, int count, const Oid *types);
int PQsendQueryPrepared(
    PGconn *conn,
    const char *name,
    int count,
    const char *const *values,
    const int *lengths,
    const int *formats,
    int result_format);
int PQsendQuery(PGconn *conn, const char *query);
int PQputCopyData(PGconn *conn, const char *buffer, int bytes);
int PQputCopyEnd(PGconn *conn, const char *error);
PGresult *PQgetResult(PGconn *conn);
ExecStatusType PQresultStatus(const PGresult *res);
char *PQresultErrorField(const PGresult *res, int fieldcode);
int PQntuples(const PGresult *res);
char *PQcmdTuples(PGresult *res);
int PQgetisnull(const PGresult *res, int row, int column);
int PQgetlength(const PGresult *res, int row, int column);
char *PQgetvalue(const PGresult *res, int row, int column);
void PQclear(PGresult *res);
