/* own_symbols.h - the names of functions of this process, static ones too. */
#ifndef FXTTRACE_OWN_SYMBOLS_H
#define FXTTRACE_OWN_SYMBOLS_H

/* The name of the function at an address, of C++ as it is written if the program has libstdc++;
 * else "FILE+0x12ab" or "0x12ab". Lasts as long as the process. One thread at a time. */
const char *own_symbols_name(const void *address);

#endif
