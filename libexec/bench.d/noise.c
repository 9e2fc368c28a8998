/*
 * How much of a CPU other work takes from a program that computes without a pause, as parallel programs with barriers
 * do: fixed amounts of work, one after the other, each timed. Prints the part of the time that was lost, in parts of a
 * million, and the longest delay of one amount in microseconds.
 *
 * Usage: noise SECONDS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 4000000, SPINS = 20000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static volatile uint64_t sink;

static void work(void)
{
    uint64_t value = sink | 1;
    for (int i = 0; i < SPINS; i++) {
        value = value * 6364136223846793005u + 1442695040888963407u;
    }
    sink = value;
}

static int compare(const void *one, const void *other)
{
    float a = *(const float *)one;
    float b = *(const float *)other;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 5;
    float *took = malloc(MOST * sizeof *took);
    if (took == NULL || seconds <= 0) {
        fprintf(stderr, "usage: noise SECONDS\n");
        return 1;
    }
    double begin = now();
    double before = begin;
    int count = 0;
    double longest = 0;
    while (count < MOST && before - begin < seconds) {
        work();
        double after = now();
        took[count] = (float)(after - before);
        longest = after - before > longest ? after - before : longest;
        count++;
        before = after;
    }
    double all = before - begin;
    qsort(took, (size_t)count, sizeof *took, compare);
    /* The usual time of an amount: what it takes where nothing else runs. */
    double usual = took[count / 2];
    double lost = 0;
    for (int i = count / 2; i < count; i++) {
        /* A tenth more is what caches and clocks make of it. */
        lost += took[i] > 1.1 * usual ? took[i] - usual : 0;
    }
    printf("%.0f %.0f\n", lost / all * 1e6, (longest - usual) * 1e6);
    free(took);
    return 0;
}
