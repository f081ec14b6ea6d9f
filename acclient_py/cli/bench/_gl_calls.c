/* Counts GL calls: each function is entered through a stub that adds one and jumps on, with all
   registers and the stack as they were. */
#include <stdint.h>
#ifndef __x86_64__
#error "the stubs are written for x86-64"
#endif

#define SLOTS 1024
#define HERE __attribute__((visibility("hidden"), used))
HERE uint64_t calls[SLOTS];
HERE void *targets[SLOTS];
static int used;

/* one stub is 16 bytes: incq calls+8n(%rip); jmp *targets+8n(%rip) */
__asm__(".text\n.balign 16\n.hidden stubs\nstubs:\n"
        ".set i, 0\n"
        ".rept 1024\n"
        ".balign 16\n"
        "incq calls+8*i(%rip)\n"
        "jmp *targets+8*i(%rip)\n"
        ".set i, i+1\n"
        ".endr\n");
extern char stubs[] __attribute__((visibility("hidden")));

void *counted(void *function)
{
    if (!function || used == SLOTS)
        return function;
    targets[used] = function;
    return stubs + 16 * used++;
}

uint64_t total(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < used; i++)
        sum += calls[i];
    return sum;
}
