/* key_decode.h - decodes the bytes of a terminal: keys of xterm, rxvt, linux console and vt100 with
 * modifiers ignored, SGR and X10 mouse, bracketed paste. Replies, focus reports and unknown
 * sequences are eaten, whole and in pieces. Any bytes may come. */
#ifndef FXTOP_KEY_DECODE_H
#define FXTOP_KEY_DECODE_H

#include "ui/screen/key.h"

struct key_sequence {
    char bytes[12];
    uint8_t n;
    uint32_t code;
};

struct key_decode {
    unsigned char bytes[4096]; /* not yet decoded: bytes[at..n) */
    size_t at, n;
    uint8_t state; /* private to key_decode.c */
    /* the background, and mode 2026, were asked for: the answers may come in pieces */
    bool asked, asked_mode;
    /* meanwhile ESC alone was taken as a key: "]11;" or "[?2026;" after it is the rest of one */
    bool escaped;
    bool answered, light; /* out: an answer came; the background is light */
    bool synchronized;    /* out: the terminal has mode 2026 */
    char reply[32];       /* the start of the string that is being read, if it is an OSC */
    uint8_t reply_n;
    bool paste_wanted;
    struct key_sequence extra[64]; /* sequences of the terminal's description */
    int extra_n;
};

void key_decode_init(struct key_decode *decoder);
/* Adds a sequence that starts with ESC; one that is known already, or too long, or one too many, is
 * left out. */
void key_decode_define(struct key_decode *decoder, const char *sequence, uint32_t code);
/* Adds up to n bytes; returns how many fitted (all, after key_decode_next() returned false). */
size_t key_decode_feed(struct key_decode *decoder, const char *bytes, size_t n);
/* Milliseconds to wait for the rest of an incomplete sequence; -1 if there is none. */
int key_decode_patience(const struct key_decode *decoder);
/* The next key. `in_prompt`: pasted characters are keys (line ends and controls dropped), else they
 * are eaten. `idle`: the patience ran out, so a lone ESC is the Escape key and anything else
 * unfinished is dropped. */
bool key_decode_next(struct key_decode *decoder, bool in_prompt, bool idle, struct key *key);

#endif
