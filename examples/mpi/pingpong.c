/* The first and the last rank send each other messages of growing length and check what comes back. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (1 << 20)
#define ROUNDS 20

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *sent = malloc(LARGEST), *got = malloc(LARGEST);
    if (sent == NULL || got == NULL || size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int length = 1; length <= LARGEST; length *= 32) {
        for (int round = 0; round < ROUNDS; round++) {
            memset(sent, round + 1, length);
            if (rank == 0) {
                MPI_Send(sent, length, MPI_CHAR, size - 1, round, MPI_COMM_WORLD);
                MPI_Recv(got, length, MPI_CHAR, size - 1, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                wrong += memcmp(sent, got, length) != 0;
            } else if (rank == size - 1) {
                MPI_Recv(got, length, MPI_CHAR, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(got, length, MPI_CHAR, 0, round, MPI_COMM_WORLD);
            }
        }
    }
    if (rank == 0)
        printf("pingpong of %d: %d wrong\n", size, wrong);
    free(sent);
    free(got);
    MPI_Finalize();
    return wrong != 0;
}
