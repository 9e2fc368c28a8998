/*
 * How fast a program moves that is bound by memory: a[i] = b[i] + s * c[i] over arrays that fit into no cache. Prints
 * GB a second.
 *
 * Usage: triad SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LENGTH = 8000000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 5;
    double *a = malloc(LENGTH * sizeof *a);
    double *b = malloc(LENGTH * sizeof *b);
    double *c = malloc(LENGTH * sizeof *c);
    if (a == NULL || b == NULL || c == NULL || seconds <= 0) {
        fprintf(stderr, "usage: triad SECONDS\n");
        return 1;
    }
    for (int i = 0; i < LENGTH; i++) {
        a[i] = 0;
        b[i] = i;
        c[i] = 1;
    }
    double begin = now();
    double end = begin;
    int rounds = 0;
    while (end - begin < seconds) {
        double scale = rounds + 1;
        for (int i = 0; i < LENGTH; i++) {
            a[i] = b[i] + scale * c[i];
        }
        /* Another array in each round, so that no round can be left out. */
        double *first = a;
        a = b;
        b = c;
        c = first;
        rounds++;
        end = now();
    }
    printf("%.3f\n", 3.0 * sizeof *a * LENGTH * rounds / (end - begin) / 1e9);
    free(a);
    free(b);
    free(c);
    return 0;
}
