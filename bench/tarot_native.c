/* SPDX-License-Identifier: MIT
 *
 * The tarot shuffle in C for the host, the yardstick for translated code:
 *   gcc -O3 tarot_native.c -o tarot && ./tarot 12345678 1000000
 * Full-period feedback byte $A3, correct reduction: the algorithm of tarot_cc65.c, written for
 * a 32-bit compiler.
 *
 * The program shuffles as often as the second argument says, from the seed in hex, and writes
 * the deck's 78 bytes to standard output.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CARDS 78

typedef struct {
    uint32_t lfsr;
    unsigned rng; /* flips not used yet: the next one in bit 0 */
    unsigned flips_left;
} Generator;

/* Eight steps at once: the outgoing byte times the feedback byte, carry-less. */
static unsigned next_byte(Generator *from)
{
    uint32_t out = from->lfsr & 0xFF;

    from->lfsr = (from->lfsr >> 8) ^ (out << 24) ^ (out << 22) ^ (out << 18) ^ (out << 17);
    return from->lfsr >> 24;
}

/* A random number 0..highest (at most 127), by the Fast Dice Roller. */
static unsigned draw(Generator *from, unsigned highest)
{
    unsigned range = 1, value = 0;

    for (;;) {
        if (range > highest) {
            if (value <= highest) {
                return value;
            }
            range -= highest + 1;
            value -= highest + 1;
        }
        if (from->flips_left == 0) {
            from->rng = next_byte(from);
            from->flips_left = 8;
        }
        range <<= 1;
        value = value << 1 | (from->rng & 1);
        from->rng >>= 1;
        --from->flips_left;
    }
}

static void shuffle(Generator *from, uint8_t *deck)
{
    for (unsigned card = CARDS - 1; card > 0; --card) {
        unsigned other = draw(from, card);
        uint8_t held = deck[card];

        deck[card] = deck[other];
        deck[other] = held;
    }
}

int main(int count, char **words)
{
    Generator from = {0, 0, 0};
    uint8_t deck[CARDS];
    unsigned long shuffles;

    if (count != 3) {
        fprintf(stderr, "usage: %s SEED SHUFFLES\n", words[0]);
        return 2;
    }
    from.lfsr = (uint32_t)strtoul(words[1], NULL, 16);
    shuffles = strtoul(words[2], NULL, 10);
    for (unsigned card = 0; card < CARDS; ++card) {
        deck[card] = (uint8_t)card;
    }
    while (shuffles-- > 0) {
        shuffle(&from, deck);
    }
    return fwrite(deck, 1, CARDS, stdout) == CARDS ? 0 : 1;
}
