/* Compares the declarations of node/src/main/c/mpi_pmix_abi.h with the installed headers of libpmix; compiling is the test. */
#include <pmix_server.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#define pmix_proc own_proc
#define pmix_info own_info
#define pmix_value own_value
#define pmix_event own_event
#include "../../node/src/main/c/mpi_pmix_abi.h"

#define SAME(what, a, b) _Static_assert((a) == (b), what)

SAME("proc", sizeof(struct own_proc), sizeof(pmix_proc_t));
SAME("rank", offsetof(struct own_proc, rank), offsetof(pmix_proc_t, rank));
SAME("value", sizeof(struct own_value), sizeof(pmix_value_t));
SAME("data", offsetof(struct own_value, data), offsetof(pmix_value_t, data));
SAME("info", sizeof(struct own_info), sizeof(pmix_info_t));
SAME("flags", offsetof(struct own_info, flags), offsetof(pmix_info_t, flags));
SAME("info value", offsetof(struct own_info, value), offsetof(pmix_info_t, value));
SAME("array", sizeof(struct pmix_array), sizeof(pmix_data_array_t));
SAME("array size", offsetof(struct pmix_array, size), offsetof(pmix_data_array_t, size));
SAME("array items", offsetof(struct pmix_array, array), offsetof(pmix_data_array_t, array));
SAME("connected", offsetof(struct pmix_module, connected), offsetof(pmix_server_module_t, client_connected));
SAME("finalized", offsetof(struct pmix_module, finalized), offsetof(pmix_server_module_t, client_finalized));
SAME("abort", offsetof(struct pmix_module, abort), offsetof(pmix_server_module_t, abort));
SAME("fence", offsetof(struct pmix_module, fence), offsetof(pmix_server_module_t, fence_nb));
SAME("direct modex", offsetof(struct pmix_module, direct_modex), offsetof(pmix_server_module_t, direct_modex));
_Static_assert(sizeof(struct pmix_module) >= sizeof(pmix_server_module_t), "room for the module");
SAME("all ranks", PMIX_RANK_ALL, PMIX_RANK_WILDCARD);
SAME("string", PMIX_IS_STRING, PMIX_STRING);
SAME("uint16", PMIX_IS_UINT16, PMIX_UINT16);
SAME("uint32", PMIX_IS_UINT32, PMIX_UINT32);
SAME("info type", PMIX_IS_INFO, PMIX_INFO);
SAME("array type", PMIX_IS_ARRAY, PMIX_DATA_ARRAY);
SAME("rank type", PMIX_IS_RANK, PMIX_PROC_RANK);
SAME("bool", PMIX_IS_BOOL, PMIX_BOOL);
SAME("done", PMIX_DONE, PMIX_OPERATION_SUCCEEDED);
SAME("not found", PMIX_NOT_FOUND, PMIX_ERR_NOT_FOUND);
SAME("lost", PMIX_CONNECTION_LOST, PMIX_ERR_LOST_CONNECTION);
