/* SPDX-License-Identifier: MIT
 *
 * The tarot shuffle in plain C, the yardstick for the assembly:
 *   cl65 -t sim6502 -O -Cl tarot_cc65.c -o tarot && sim65 -c tarot
 * Full-period feedback byte $A3, correct reduction.  Bytes and static variables
 * throughout, because that is what cc65 compiles well.
 *
 * The program shuffles SHUFFLES times from SEED and prints the deck in hex, so
 * that the result can be compared.
 */
#include <stdio.h>

#define CARDS 78

#ifndef SHUFFLES
#define SHUFFLES 1
#endif

static unsigned char lfsr[4] = {0x00, 0x00, 0x00, 0x01}; /* high byte first */
static unsigned char rng;
static unsigned char flips_left;
static unsigned char deck[CARDS];

/* Eight steps at once: the outgoing byte times the feedback byte, carry-less. */
static unsigned char next_byte(void)
{
    static unsigned char out;

    out = lfsr[3];
    lfsr[3] = lfsr[2];
    lfsr[2] = lfsr[1];
    lfsr[1] = lfsr[0] ^ (unsigned char)(out << 1) ^ (unsigned char)(out << 2) ^ (unsigned char)(out << 6);
    lfsr[0] = out ^ (out >> 2) ^ (out >> 6) ^ (out >> 7);
    return lfsr[0];
}

/* A random number 0..highest (at most 127), by the Fast Dice Roller. */
static unsigned char draw(unsigned char highest)
{
    static unsigned char range;
    static unsigned char value;
    static unsigned char excess;

    range = 1;
    value = 0;
    for (;;) {
        if (range > highest) {
            if (value <= highest) {
                return value;
            }
            excess = highest + 1;
            range -= excess;
            value -= excess;
        }
        if (flips_left == 0) {
            rng = next_byte();
            flips_left = 8;
        }
        range <<= 1;
        value <<= 1;
        if (rng & 1) {
            ++value;
        }
        rng >>= 1;
        --flips_left;
    }
}

static void shuffle(void)
{
    static unsigned char card;
    static unsigned char other;
    static unsigned char held;

    for (card = CARDS - 1; card > 0; --card) {
        other = draw(card);
        held = deck[card];
        deck[card] = deck[other];
        deck[other] = held;
    }
}

int main(void)
{
    static unsigned char i;

    for (i = 0; i < CARDS; ++i) {
        deck[i] = i;
    }
    for (i = 0; i < SHUFFLES; ++i) {
        shuffle();
    }
    for (i = 0; i < CARDS; ++i) {
        printf("%02X", deck[i]);
    }
    printf("\n");
    return 0;
}
