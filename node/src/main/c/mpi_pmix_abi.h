/*
 * What is used here of the binary interface of libpmix.so.2, as the PMIx standard lays it down (versions 2 to 5 of it share
 * it): declared here, so that Dure is built without that library's headers and finds the library where it is installed.
 * examples/mpi/run compares it with the headers where there are some. Part of the MPI server, see there.
 */

#define PMIX_RANK_ALL 0xfffffffeu /* all ranks of a namespace */

enum {
    PMIX_GOOD = 0, PMIX_FAILED = -1, PMIX_PROC_GONE = -7, PMIX_NOT_FOUND = -46, PMIX_CONNECTION_LOST = -61,
    PMIX_PEER_LOST = -102, PMIX_CLIENT_LOST = -103, PMIX_DONE = -157, PMIX_LEFT_UNSYNCHRONISED = -200
};

enum { PMIX_IS_STRING = 3, PMIX_IS_UINT16 = 13, PMIX_IS_UINT32 = 14, PMIX_IS_INFO = 24, PMIX_IS_ARRAY = 39, PMIX_IS_RANK = 40,
       PMIX_IS_BOOL = 1 };

struct pmix_proc { char space[256]; uint32_t rank; };

struct pmix_array { uint16_t type; size_t size; void *array; };

struct pmix_value {
    uint16_t type;
    union { bool flag; char *string; uint16_t uint16; uint32_t uint32; struct pmix_array *array; char space[24]; } data;
};

struct pmix_info { char key[512]; uint32_t flags; struct pmix_value value; };

typedef void pmix_op_done(int status, void *what);
typedef void pmix_release(void *what);
typedef void pmix_data_done(int status, const char *data, size_t length, void *what, pmix_release *release, void *of);
typedef void pmix_event_done(int status, struct pmix_info *results, size_t count, pmix_op_done *done, void *own, void *what);
typedef void pmix_event(size_t id, int status, const struct pmix_proc *source, struct pmix_info *info, size_t count,
                        struct pmix_info *results, size_t result_count, pmix_event_done *done, void *what);
typedef void pmix_dmodex_answer(int status, char *data, size_t length, void *what);

/* What a server does for the library, in this order; what it does not do is NULL. */
struct pmix_module {
    int (*connected)(const struct pmix_proc *, void *, pmix_op_done *, void *);
    int (*finalized)(const struct pmix_proc *, void *, pmix_op_done *, void *);
    int (*abort)(const struct pmix_proc *, void *, int status, const char *, struct pmix_proc *, size_t, pmix_op_done *, void *);
    int (*fence)(const struct pmix_proc *, size_t, const struct pmix_info *, size_t, char *data, size_t length, pmix_data_done *,
                 void *);
    int (*direct_modex)(const struct pmix_proc *, const struct pmix_info *, size_t, pmix_data_done *, void *);
    void *others[64]; /* publish and what follows: more than any version has */
};
