/* Yardsticks for make bench: the rounds of one shoe by plain loops, counts only, no insurance.

   paths OPERATION SHOES: reads nothing, makes SHOES random shoes of its own and times them.
   "ranks": every ordered path by rank, each loop as the cards are dealt.
   "points": the same over the ten values of a card.
   "careful": by points, unordered first pairs, early stops.
   The time is the processor's, a shoe. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int draws[8][11] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1},
    {0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1}, {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1},
    {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};

static int64_t found[10][10][4]; /* Player points, Banker points, cards drawn by each */

static void third_cards(int64_t *n, const int *points, int kinds, int p, int b, int64_t w, int64_t left) {
    if (p >= 8 || b >= 8 || (p >= 6 && !draws[b][10])) {
        found[p][b][0] += w * left * (left - 1);
    } else if (p >= 6) {
        for (int i = 0; i < kinds; i++)
            if (n[i]) found[p][(b + points[i]) % 10][1] += w * n[i] * (left - 1);
    } else {
        for (int i = 0; i < kinds; i++) {
            if (!n[i]) continue;
            int64_t v = w * n[i];
            int q = (p + points[i]) % 10;
            if (!draws[b][points[i]]) {
                found[q][b][2] += v * (left - 1);
                continue;
            }
            n[i]--;
            for (int j = 0; j < kinds; j++)
                if (n[j]) found[q][(b + points[j]) % 10][3] += v * n[j];
            n[i]++;
        }
    }
}

static void plain(int64_t *n, int64_t size, int kinds) {
    static const int of_rank[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};
    static const int of_value[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int *points = kinds == 13 ? of_rank : of_value;
    for (int a = 0; a < kinds; a++) {
        int64_t wa = n[a]; if (!wa) continue; n[a]--;
        for (int b = 0; b < kinds; b++) {
            int64_t wb = wa * n[b]; if (!wb) continue; n[b]--;
            for (int c = 0; c < kinds; c++) {
                int64_t wc = wb * n[c]; if (!wc) continue; n[c]--;
                for (int d = 0; d < kinds; d++) {
                    int64_t wd = wc * n[d]; if (!wd) continue; n[d]--;
                    third_cards(n, points, kinds, (points[a] + points[c]) % 10, (points[b] + points[d]) % 10, wd, size - 4);
                    n[d]++;
                }
                n[c]++;
            }
            n[b]++;
        }
        n[a]++;
    }
}

static void careful(int64_t *n, int64_t size) {
    static const int points[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (int a = 0; a < 10; a++) for (int c = a; c < 10; c++) {
        int64_t wp = a == c ? n[a] * (n[a] - 1) : 2 * n[a] * n[c]; if (!wp) continue;
        n[a]--; n[c]--;
        for (int b = 0; b < 10; b++) for (int d = b; d < 10; d++) {
            int64_t w = wp * (b == d ? n[b] * (n[b] - 1) : 2 * n[b] * n[d]); if (!w) continue;
            n[b]--; n[d]--;
            third_cards(n, points, 10, (a + c) % 10, (b + d) % 10, w, size - 4);
            n[b]++; n[d]++;
        }
        n[a]++; n[c]++;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int shoes = atoi(argv[2]), by_rank = !strcmp(argv[1], "ranks"), is_careful = !strcmp(argv[1], "careful");
    int64_t check = 0;
    struct timespec start, stop;
    srand(1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int s = 0; s < shoes; s++) {
        int64_t n[13] = {0}, size = 0;
        for (int r = 0; r < 13; r++) {
            int cards = s ? rand() % 33 : 32; /* the first shoe is fresh: eight decks */
            n[by_rank ? r : (r + 1 < 10 ? r + 1 : 0)] += cards;
            size += cards;
        }
        memset(found, 0, sizeof found);
        if (is_careful) careful(n, size); else plain(n, size, by_rank ? 13 : 10);
        if (!s)
            for (int p = 0; p < 10; p++) for (int b = 0; b < p; b++) for (int k = 0; k < 4; k++) check += found[p][b][k];
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    printf("%.9f %lld\n", (stop.tv_sec - start.tv_sec + (stop.tv_nsec - start.tv_nsec) / 1e9) / shoes, (long long)check);
    return 0;
}
