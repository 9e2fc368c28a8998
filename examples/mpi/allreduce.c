/* All ranks add up a vector of theirs, large enough to be sent in parts, and each checks the sum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 300000

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, all_wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *mine = malloc(COUNT * sizeof *mine), *sum = malloc(COUNT * sizeof *sum);
    if (mine == NULL || sum == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < COUNT; i++)
        mine[i] = rank + i;
    MPI_Allreduce(mine, sum, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        wrong += sum[i] != size * (size - 1) / 2.0 + (double)size * i;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("allreduce of %d: %d wrong\n", size, all_wrong);
    free(mine);
    free(sum);
    MPI_Finalize();
    return all_wrong != 0;
}
